/** What is to be said of an answer: what it cites, and whether it is right. */
import type { Document } from "@langchain/core/documents";
import type { Evidence } from "@trigraph/core";
import { containAccuracy } from "@trigraph/evaluation";
import { readCitations } from "./citations.js";
import type { Asked } from "./question.js";

/** @param documents what the model was shown as [1], [2], …, with their evidence */
export function reportOn(answer: string, documents: readonly Document[], { answers }: Asked): string {
  const { cited, invented } = readCitations(answer, documents);
  const sources = [...cited].map(([number, { metadata }]) => {
    return `[${number}] ${metadata.title as string}${path(metadata.evidence as Evidence)}`;
  });
  const check = invented.length === 0 ? "each number is a passage" : `no passages: ${invented.join(", ")}`;
  return [
    ...(cited.size + invented.length === 0 ? ["Cited: nothing"] : [`Cited (${check}):`, ...sources]),
    ...(answers.length === 0 ? [] : [`Contain accuracy: ${containAccuracy(answer, answers)} (${answers[0]})`]),
  ].join("\n");
}

/** The entities that led from the question to the passage. */
function path(evidence: Evidence): string {
  if (evidence.via !== "graph") return ", by its similarity to the question";
  const entities = [evidence.seed.entity, ...evidence.steps.map(({ to }) => to.entity)];
  return `, by ${entities.join(" → ")}`;
}
