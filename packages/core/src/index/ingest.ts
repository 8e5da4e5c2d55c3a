/** From passages as they come to what is analysed: reading, checking, embedding. */
import { abortable, abortableItems } from "../abort.js";
import { EMBED_BATCH, SEGMENT_TOKENS } from "../defaults.js";
import { embeddedText } from "../dense/passage-text.js";
import { unitVector } from "../dense/vectors.js";
import { EmbeddingError, InvalidArgumentError } from "../errors.js";
import type { NewPassage } from "../segment/builder.js";
import { encodeRecord } from "../segment/record.js";
import type { Embedder, LongCallOptions, Passage } from "../types.js";
import { checkDimensions, checkPassage, show } from "../validate.js";
import { locate, type ViewPart } from "./view.js";

/** Characters that are read before they are analysed; some five make a token. */
const BATCH_CHARACTERS = SEGMENT_TOKENS * 5;

/** How vectors come into an index. */
export interface VectorSource {
  readonly embedder: Embedder | undefined;
  /** Length of the vectors; 0 when the index has none, undefined while it is empty and either is possible. */
  readonly dimensions: number | undefined;
}

/** Passages read but not yet analysed; the last one of an id counts. */
export interface Batch {
  readonly passages: Map<string, NewPassage>;
  /** Ids that were there already. */
  readonly duplicates: Set<string>;
}

export type Source = Iterable<Passage> | AsyncIterable<Passage>;

/** Reads passages in batches that fit a segment. The arrays are the caller's: everything is copied here. */
export async function* readBatches(
  method: string,
  source: Source,
  seen: Set<string>,
  vectors: VectorSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<Batch> {
  let { dimensions } = vectors;
  let batch: Batch = { passages: new Map(), duplicates: new Set() };
  let characters = 0;
  for await (const passage of abortableItems(checkedSource(method, source), signal)) {
    checkPassage(method, passage);
    const { id, text, title } = passage;
    const vector = readVector(`${method}: passage ${show(id)}`, passage, vectors.embedder, dimensions);
    dimensions ??= vector?.length ?? vectors.embedder?.dimensions ?? 0;
    if (seen.has(id)) batch.duplicates.add(id);
    seen.add(id);
    // Deleting first moves the passage to the end, where its last occurrence stands.
    batch.passages.delete(id);
    batch.passages.set(id, { id, text, title, record: encodeRecord(passage), vector });
    characters += text.length + (title?.length ?? 0);
    if (characters >= BATCH_CHARACTERS) {
      yield batch;
      batch = { passages: new Map(), duplicates: new Set() };
      characters = 0;
    }
  }
  if (batch.passages.size > 0 || batch.duplicates.size > 0) yield batch;
}

function checkedSource(method: string, source: unknown): Source {
  const isSource =
    typeof source === "object" && source !== null && (Symbol.iterator in source || Symbol.asyncIterator in source);
  if (isSource) return source as Source;
  throw new InvalidArgumentError(`${method}: expected an iterable or async iterable of passages, got ${show(source)}.`);
}

function readVector(
  where: string,
  { vector }: Passage,
  embedder: Embedder | undefined,
  dimensions: number | undefined,
): Float32Array | undefined {
  if (vector === undefined) {
    if (embedder !== undefined || dimensions === undefined || dimensions === 0) return undefined;
    throw new InvalidArgumentError(
      `${where}: expected a vector of ${dimensions} numbers, as the index's passages have, got none. Give it one, or the index an embedder.`,
    );
  }
  if (dimensions === 0) {
    throw new InvalidArgumentError(
      `${where}: expected no vector, since the index's passages have none. Build the index anew with vectors for all.`,
    );
  }
  // What has no length is refused below, whatever is expected.
  const expected = dimensions ?? embedder?.dimensions ?? (vector as ArrayLike<number> | null)?.length ?? 1;
  if (expected === 0) throw new InvalidArgumentError(`${where}: expected a vector of at least one number, got none.`);
  return unitVector(vector, expected, where);
}

/** Whether the index holds the passage already, word for word and number for number. */
export function isUnchanged(parts: readonly ViewPart[], { id, record, vector }: NewPassage): boolean {
  const place = locate(parts, id);
  if (place === undefined) return false;
  const { segment } = parts[place.part];
  if (segment.record(place.passage) !== record) return false;
  return vector === undefined || segment.holdsVector(place.passage, vector);
}

/** The passages, each with a vector. */
export async function embed(
  method: string,
  passages: readonly NewPassage[],
  embedder: Embedder | undefined,
  { signal, onProgress }: LongCallOptions,
): Promise<NewPassage[]> {
  const embedded = [...passages];
  const missing = [...passages.keys()].filter((i) => passages[i].vector === undefined);
  for (let start = 0; start < missing.length; start += EMBED_BATCH) {
    signal?.throwIfAborted();
    const batch = missing.slice(start, start + EMBED_BATCH);
    const texts = batch.map((i) => embeddedText(passages[i]));
    const vectors = await embedTexts(method, embedder!, texts, signal);
    batch.forEach((i, n) => {
      embedded[i] = { ...passages[i], vector: vectors[n] };
    });
    onProgress?.({ phase: "embed", done: start + batch.length, total: missing.length });
  }
  return embedded;
}

/** Vectors of length 1, in the order of the texts. */
export async function embedTexts(
  method: string,
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const vectors = await callEmbedder(method, signal, () =>
    embedder.embedPassages(texts, signal === undefined ? {} : { signal }),
  );
  if (!Array.isArray(vectors) || vectors.length !== texts.length) {
    throw new EmbeddingError(
      `${method}: expected the embedder ${show(embedder.id)} to return ${texts.length} vectors, got ${show(vectors)}.`,
    );
  }
  return vectors.map((vector: ArrayLike<number>) => checkedVector(method, embedder, vector));
}

/** Loads the embedder, where it needs that, and checks what may have been unknown before. */
export async function loadEmbedder(method: string, embedder: Embedder | undefined): Promise<void> {
  if (embedder === undefined) return;
  await callEmbedder(method, undefined, async () => embedder.load?.());
  checkDimensions(method, embedder);
}

/** The question's vector, of length 1. */
export async function embedQuestion(
  method: string,
  embedder: Embedder,
  question: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const vector = await callEmbedder(method, signal, () =>
    embedder.embedQuery(question, signal === undefined ? {} : { signal }),
  );
  return checkedVector(method, embedder, vector);
}

async function callEmbedder<T>(method: string, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  try {
    return await abortable(call(), signal);
  } catch (error) {
    // An aborted call is no failure of the embedder, whatever it made of the abort.
    signal?.throwIfAborted();
    throw new EmbeddingError(
      `${method}: the embedder failed: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

function checkedVector(method: string, embedder: Embedder, vector: ArrayLike<number>): Float32Array {
  try {
    return unitVector(vector, embedder.dimensions, `${method}: embedder ${show(embedder.id)}`);
  } catch (error) {
    throw new EmbeddingError((error as Error).message, { cause: error });
  }
}
