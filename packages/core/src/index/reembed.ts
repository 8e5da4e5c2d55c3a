import { EMBED_BATCH } from "../defaults.js";
import { embeddedText } from "../dense/passage-text.js";
import { packVectors } from "../segment/packed-vectors.js";
import { Segment } from "../segment/segment.js";
import { inTurns } from "../steps.js";
import type { Embedder, LongCallOptions, VectorPrecision } from "../types.js";
import { embedTexts } from "./ingest.js";
import { Liveness } from "./liveness.js";
import type { ViewPart } from "./view.js";

const NO_VECTOR = new Float32Array(0);

/** The same passages with vectors of another embedder. Dead ones get none; all other arrays are shared. */
export async function reembedded(
  method: string,
  parts: readonly ViewPart[],
  embedder: Embedder,
  precision: VectorPrecision,
  { signal, onProgress }: LongCallOptions,
): Promise<ViewPart[]> {
  const total = parts.reduce((sum, { segment, liveness }) => sum + segment.passageCount - liveness.dead.passages, 0);
  const { dimensions } = embedder;
  let done = 0;
  const made: ViewPart[] = [];
  for (const { segment, liveness } of parts) {
    const vectors: Float32Array[] = Array.from({ length: segment.passageCount }, () => NO_VECTOR);
    const alive = [...vectors.keys()].filter((passage) => liveness.isLive(passage));
    for (let start = 0; start < alive.length; start += EMBED_BATCH) {
      signal?.throwIfAborted();
      const batch = alive.slice(start, start + EMBED_BATCH);
      const texts = batch.map((passage) => embeddedText(segment.passage(passage)));
      const embedded = await embedTexts(method, embedder, texts, signal);
      batch.forEach((passage, i) => (vectors[passage] = embedded[i]));
      done += batch.length;
      onProgress?.({ phase: "embed", done, total });
    }
    const arrays = { ...segment.arrays, ...packVectors(vectors, { dimensions, precision }) };
    const copy = new Segment(arrays, { ...segment.header, dimensions, precision });
    const dead = await inTurns(Liveness.ALL.without(copy, liveness.deadPassages()), signal);
    made.push({ segment: copy, liveness: dead });
  }
  return made;
}
