import type { Evidence } from "@trigraph/core";
import type { Reason } from "./report.js";

/** The core's evidence in short. */
export function reasonOf(evidence: Evidence): Reason {
  const sentence = evidence.sentence?.text ?? null;
  if (evidence.via !== "graph") return { via: evidence.via, path: [], sentence };
  const path = [evidence.seed.entity, ...evidence.steps.map(({ to }) => to.entity)];
  return { via: "graph", path, sentence };
}
