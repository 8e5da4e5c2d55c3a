import { IndexError } from "../errors.js";
import type { Metadata, Passage, StoredPassage } from "../types.js";

/**
 * A passage as the JSON that a segment keeps. JSON rather than raw text because it holds every string,
 * also one with a lone surrogate, which UTF-8 alone cannot.
 */
export function encodeRecord({ id, title, text, metadata, vector }: Passage): string {
  // Whether the vector was given belongs to the passage: without it the embedder makes one.
  return JSON.stringify({ id, title, text, metadata, vector: vector === undefined ? undefined : true });
}

/**
 * A fresh object at each call: what a caller does to it does not reach the index.
 * @throws IndexError CORRUPT_INDEX when the JSON is no passage
 */
export function decodeRecord(json: string): StoredPassage {
  const { id, title, text, metadata } = parsePassage(json);
  return {
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata: metadata satisfies Metadata }),
  };
}

function parsePassage(json: string): StoredPassage {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw noPassage(json, cause);
  }
  if (!isPassage(value)) throw noPassage(json);
  return value;
}

/** By hand: a filter reads the record of every passage, and this costs a tenth of what a schema does. */
function isPassage(value: unknown): value is StoredPassage {
  if (typeof value !== "object" || value === null) return false;
  const { id, title, text, metadata } = value as { [key: string]: unknown };
  return (
    typeof id === "string" &&
    typeof text === "string" &&
    (title === undefined || typeof title === "string") &&
    (metadata === undefined || (typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)))
  );
}

function noPassage(json: string, cause?: unknown): IndexError {
  const start = JSON.stringify(json.slice(0, 40));
  return new IndexError(
    "CORRUPT_INDEX",
    `a segment holds a record that is no passage, ${start}…: restore the index from a backup`,
    { cause },
  );
}
