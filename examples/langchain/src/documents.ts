import { Document } from "@langchain/core/documents";

const TEXTS = {
  "The Silent Harbour":
    "The Silent Harbour is a 1962 drama film by the director Ada Lindqvist. It was shot in Gothenburg in one winter.",
  "Ada Lindqvist":
    "Ada Lindqvist was a Swedish director. Ada Lindqvist was born to her mother, the painter Greta Holm.",
  "Greta Holm": "Greta Holm was a painter, and the mother of three. Her landscapes hang in the town hall of Uppsala.",
  "Mother of the Year":
    "Mother of the Year is a film about the mother of a film director. The mother of the director wins a prize.",
  "Harbour pilots": "A harbour pilot guides ships into a harbour. Silent signals are given with flags.",
  "Rye bread": "Rye bread is baked of rye flour. It keeps for a week.",
};

/** A corpus small enough to read: the answer takes three of its passages, and others repeat the question's words. */
export const documents = Object.entries(TEXTS).map(
  ([title, pageContent]) => new Document({ id: title, pageContent, metadata: { title } }),
);
