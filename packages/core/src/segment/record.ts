import type { Metadata, Passage, StoredPassage } from "../types.js";

/**
 * A passage as the JSON that a segment keeps. JSON rather than raw text because it holds every string,
 * also one with a lone surrogate, which UTF-8 alone cannot.
 */
export function encodeRecord({ id, title, text, metadata, vector }: Passage): string {
  // Whether the vector was given belongs to the passage: without it the embedder makes one.
  return JSON.stringify({ id, title, text, metadata, vector: vector === undefined ? undefined : true });
}

/** A fresh object at each call: what a caller does to it does not reach the index. */
export function decodeRecord(json: string): StoredPassage {
  const { id, title, text, metadata } = JSON.parse(json) as StoredPassage;
  return {
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata: metadata satisfies Metadata }),
  };
}
