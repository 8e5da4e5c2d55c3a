import type { Metadata, StoredPassage } from "../types.js";

/**
 * A passage as the JSON that a segment keeps. JSON rather than raw text because it holds every string,
 * also one with a lone surrogate, which UTF-8 alone cannot.
 */
export function encodeRecord(passage: StoredPassage): string {
  const { id, title, text, metadata } = passage;
  return JSON.stringify({ id, title, text, metadata });
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
