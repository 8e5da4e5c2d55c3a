import { Document } from "@llamaindex/core/schema";

const TEXTS = [
  {
    id_: "the-silent-harbour.md",
    title: "The Silent Harbour",
    text: "The Silent Harbour is a 1962 drama film by the director Ada Lindqvist. It was shot in Gothenburg.",
  },
  {
    id_: "ada-lindqvist.md",
    title: "Ada Lindqvist",
    text: "Ada Lindqvist was a Swedish director. Ada Lindqvist was born to her mother, the painter Greta Holm.",
  },
  {
    id_: "greta-holm.md",
    title: "Greta Holm",
    text: "Greta Holm was a painter. Her landscapes hang in the town hall of Uppsala.",
  },
  {
    id_: "mother-of-the-year.md",
    title: "Mother of the Year",
    text: "Mother of the Year is a film about the mother of a film director. The mother of the director wins a prize.",
  },
];

export const documents = TEXTS.map(({ id_, title, text }) => new Document({ id_, text, metadata: { title } }));
