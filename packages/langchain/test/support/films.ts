import { Document } from "@langchain/core/documents";

/** Needs three documents; the last repeats its words and answers nothing. */
export const QUESTION = "Who is the mother of the director of The Silent Harbour?";

/** The documents that the question needs, in the order of the path. */
export const PATH = ["film", "director", "mother"];

const FILMS = [
  {
    id: "film",
    title: "The Silent Harbour",
    year: 1962,
    text: "The Silent Harbour is a 1962 drama film by the director Ada Lindqvist. It was shot in Gothenburg.",
  },
  {
    id: "director",
    title: "Ada Lindqvist",
    year: 1931,
    text: "Ada Lindqvist was a Swedish director. Ada Lindqvist was born in Uppsala to her mother, the painter Greta Holm.",
  },
  {
    id: "mother",
    title: "Greta Holm",
    year: 1902,
    text: "Greta Holm was a painter. Her landscapes hang in the town hall of Uppsala.",
  },
  {
    id: "decoy",
    title: "Mother of the Year",
    year: 1999,
    text: "Mother of the Year is a film about the mother of a film director. The mother of the director wins a prize.",
  },
  {
    id: "bread",
    title: "Rye bread",
    year: 2001,
    text: "Rye bread is baked of rye flour. It keeps for a week.",
  },
];

/** Fresh documents each time: a test may change its own. */
export function films(): Document[] {
  return FILMS.map(
    ({ id, title, year, text }) =>
      new Document({
        id,
        pageContent: text,
        metadata: { title, year, source: `${id}.md`, loc: { lines: { from: 1 } } },
      }),
  );
}

export function textOf(id: string): string {
  return FILMS.find((film) => film.id === id)!.text;
}

export const idsOf = (documents: readonly { id?: string | undefined }[]) => documents.map(({ id }) => id);
