import type { NodeWithScore } from "@llamaindex/core/schema";
import { containAccuracy, mean } from "@trigraph/evaluation";

/** The passages that an answer was made from, a line each. */
export function sources(nodes: readonly NodeWithScore[] = []): string {
  return nodes.map(({ node }, i) => `  ${i + 1}. ${node.metadata.title as string}`).join("\n");
}

/** The share of answers that contain the right one. @param judged each with wordings of the right answer */
export function accuracy(judged: readonly { answer: string; answers: readonly string[] }[]): string {
  const share = mean(judged.map(({ answer, answers }) => containAccuracy(answer, answers)));
  return `Contain accuracy: ${share} of ${judged.length === 1 ? "one answer" : `${judged.length} answers`}`;
}
