import type { Steps } from "../steps.js";
import type { TextAnalyzer } from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";
import { compose, type ForwardArrays } from "./compose.js";
import { packVectors, type VectorShape } from "./packed-vectors.js";
import { type Segment, toSegment } from "./segment.js";
import { packStrings } from "./strings.js";
import { type TextArrays, TextBuilder, type TitledText } from "./text-arrays.js";

/** A passage on its way into a segment. */
export interface NewPassage extends TitledText {
  readonly id: string;
  /** The whole passage as `encodeRecord` makes it. */
  readonly record: string;
  /** Of length 1. */
  readonly vector: Float32Array | undefined;
}

/** What of passages is stored as it is. */
class Fields {
  readonly ids: string[] = [];
  private readonly records: string[] = [];
  private readonly vectors: Float32Array[] = [];

  add({ id, record, vector }: NewPassage): void {
    this.ids.push(id);
    this.records.push(record);
    if (vector !== undefined) this.vectors.push(vector);
  }

  /** @param texts the analysed texts of these passages, in their order */
  join(texts: TextArrays, shape: VectorShape): ForwardArrays {
    const ids = packStrings(this.ids);
    const records = packStrings(this.records);
    return {
      passageKeys: Float64Array.from(this.ids, stableKey),
      idOffsets: ids.offsets,
      idBytes: ids.bytes,
      recordOffsets: records.offsets,
      recordBytes: records.bytes,
      ...texts,
      ...packVectors(this.vectors, shape),
    };
  }
}

/** Collects analysed passages and freezes them into a segment. Every id may be added once. */
export class SegmentBuilder {
  private readonly shape: VectorShape;
  private readonly fields = new Fields();
  private readonly texts = new TextBuilder();

  constructor(shape: VectorShape) {
    this.shape = shape;
  }

  /** Passages added so far. */
  get size(): number {
    return this.fields.ids.length;
  }

  /**
   * The passage's vector is needed exactly when the shape's dimensions are not 0.
   *
   * @param analyzer has read the passage's text
   */
  add(passage: NewPassage, analyzer: TextAnalyzer): void {
    this.texts.add(passage, analyzer);
    this.fields.add(passage);
  }

  *freeze(): Steps<Segment> {
    return yield* segmentOf([this.fields.join(this.texts.freeze(), this.shape)], this.shape);
  }
}

/** @param texts the analysed texts of the passages, in their order */
export function joinFields(passages: readonly NewPassage[], texts: TextArrays, shape: VectorShape): ForwardArrays {
  const fields = new Fields();
  for (const passage of passages) fields.add(passage);
  return fields.join(texts, shape);
}

/** One segment of all passages: the same, bit for bit, however they are divided. */
export function* segmentOf(divided: readonly ForwardArrays[], shape: VectorShape): Steps<Segment> {
  const parts = divided.map((arrays) => ({ arrays, ...shape, collisions: [], isTaken: () => true }));
  return yield* toSegment(yield* compose(parts));
}
