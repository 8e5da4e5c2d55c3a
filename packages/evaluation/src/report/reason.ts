import type { Evidence, FusionEvidence } from "@trigraph/core";
import { FUSION_SHARES } from "../defaults.js";
import type { FusionReason, Reason } from "./report.js";

/** The core's evidence in short. */
export function reasonOf(evidence: Evidence): Reason {
  const sentence = evidence.sentence?.text ?? null;
  const fusion = evidence.fusion === undefined ? null : fusionReason(evidence.fusion);
  if (evidence.via !== "graph") return { via: evidence.via, path: [], sentence, fusion };
  const path = [evidence.seed.entity, ...evidence.steps.map(({ to }) => to.entity)];
  return { via: "graph", path, sentence, fusion };
}

function fusionReason({ probability, shares }: FusionEvidence): FusionReason {
  return { probability, shares: shares.slice(0, FUSION_SHARES).map(({ feature, logOdds }) => ({ feature, logOdds })) };
}
