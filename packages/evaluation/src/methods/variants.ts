import type { FusionModel, TriGraphOptions } from "@trigraph/core";
import type { Method } from "./method.js";

/** trigraph with certain settings. */
export interface Variant {
  readonly description: string;
  /** Default `"used"`: when there is one. */
  readonly embedder?: Method["embedder"];
  readonly options: Pick<TriGraphOptions, "preset" | "ranking">;
}

/** Weights of stage 3 from a file. */
export interface OwnFusion {
  /** What they are called in descriptions. */
  readonly name: string;
  readonly model: FusionModel;
}

/** The variant with other weights of stage 3, unless it has no stage 3. */
export function withFusion(variant: Variant, { name, model }: OwnFusion): Variant {
  const { preset, ranking } = variant.options;
  // The presets are the paper's, which has no fusion; without seeds there is nothing to fuse.
  if (preset !== undefined || ranking?.fusion === "none" || ranking?.seeds === "none") return variant;
  return {
    ...variant,
    description: `${variant.description}, and the weights of ${name}`,
    options: { ranking: { ...ranking, fusion: model } },
  };
}

/** trigraph, the paper's settings, and trigraph with parts switched off: name → settings. */
export const VARIANTS = {
  trigraph: { description: "trigraph with its defaults", options: {} },
  "no-fusion": {
    description: "trigraph without stage 3: passages in the graph's order",
    options: { ranking: { fusion: "none" } },
  },
  paper: { description: "LinearRAG as published, settings for 2WikiMultiHopQA", options: { preset: "paper-2wiki" } },
  "paper-hotpotqa": {
    description: "LinearRAG as published, settings for HotpotQA",
    options: { preset: "paper-hotpotqa" },
  },
  "paper-musique": {
    description: "LinearRAG as published, settings for MuSiQue",
    options: { preset: "paper-musique" },
  },
  "paper-medical": {
    description: "LinearRAG as published, settings for the medical part of GraphRAG-Bench",
    options: { preset: "paper-medical" },
  },
  "no-activation": {
    description: "no-fusion without stage 1: only entities that the question names",
    // The fusion's weights were learned with this stage: what it gives shows by the graph's order alone.
    options: { ranking: { fusion: "none", activation: "none" } },
  },
  "no-pagerank": {
    description: "no-fusion without stage 2: passages ranked by equation 7",
    options: { ranking: { fusion: "none", importance: "reset" } },
  },
  "no-vectors": {
    description: "trigraph without the embedder",
    embedder: "unused",
    options: {},
  },
  words: {
    description: "trigraph's BM25 alone, no graph",
    embedder: "unused",
    options: { ranking: { seeds: "none", similarity: "lexical" } },
  },
  vectors: {
    description: "trigraph's exact vector search alone, no graph",
    embedder: "needed",
    options: { ranking: { seeds: "none", similarity: "dense" } },
  },
  hybrid: {
    description: "the mean of trigraph's BM25 and vector search, no graph",
    embedder: "needed",
    options: { ranking: { seeds: "none", similarity: "hybrid" } },
  },
} as const satisfies Record<string, Variant>;
