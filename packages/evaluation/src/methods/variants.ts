import type { TriGraphOptions } from "@trigraph/core";
import type { Method } from "./method.js";

/** trigraph with certain settings. */
export interface Variant {
  readonly description: string;
  /** Default `"used"`: when there is one. */
  readonly embedder?: Method["embedder"];
  readonly options: Pick<TriGraphOptions, "preset" | "ranking">;
}

/** trigraph, the paper's settings, and trigraph with parts switched off: name → settings. */
export const VARIANTS = {
  trigraph: { description: "trigraph with its defaults", options: {} },
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
    description: "trigraph without stage 1: only entities that the question names",
    options: { ranking: { activation: "none" } },
  },
  "no-pagerank": {
    description: "trigraph without stage 2: passages ranked by equation 7",
    options: { ranking: { importance: "reset" } },
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
