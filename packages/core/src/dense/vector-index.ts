import type { Segment } from "../segment/segment.js";
import type { LongCallOptions } from "../types.js";

/** The vectors of one segment, of length 1 or 0. */
export interface SegmentVectors {
  readonly count: number;
  readonly dimensions: number;
  /** Vectors `start` to `end`, the end not included, one after the other. */
  rows(start: number, end: number): Float32Array;
}

/** Finds the vectors of one segment that are near another without comparing all of them. */
export interface VectorIndex {
  /** The places of at most `count` vectors: those of greatest cosine with the query, or most of them. In no order. */
  nearest(query: Float32Array, count: number): ArrayLike<number>;
}

/**
 * Makes the vectors of large segments searchable without comparing all of them. What it finds is compared exactly, and
 * what it misses is missed.
 */
export interface VectorIndexer {
  /** Segments of fewer passages are searched exactly. */
  readonly minPassages: number;
  /** Indexes a segment's vectors, which never change. Rejects with the signal's reason when that is aborted. */
  build(vectors: SegmentVectors, options: LongCallOptions): Promise<VectorIndex>;
  /** Told which are in use from now on, so that what is kept elsewhere of others can go. */
  keep?(indexes: readonly VectorIndex[]): Promise<void>;
}

/** The vector indexes of an index's large segments. */
export class VectorIndexes {
  private readonly indexer: VectorIndexer;
  private readonly bySegment = new WeakMap<Segment, VectorIndex>();

  constructor(indexer: VectorIndexer) {
    this.indexer = indexer;
  }

  /** Makes those that are missing. */
  async prepare(segments: readonly Segment[], options: LongCallOptions): Promise<void> {
    const used: VectorIndex[] = [];
    for (const segment of segments) {
      if (segment.header.dimensions === 0 || segment.passageCount < this.indexer.minPassages) continue;
      let index = this.bySegment.get(segment);
      if (index === undefined) {
        index = await this.indexer.build(vectorsOf(segment), options);
        this.bySegment.set(segment, index);
      }
      used.push(index);
    }
    await this.indexer.keep?.(used);
  }

  of(segment: Segment): VectorIndex | undefined {
    return this.bySegment.get(segment);
  }
}

function vectorsOf(segment: Segment): SegmentVectors {
  const { dimensions } = segment.header;
  return {
    count: segment.passageCount,
    dimensions,
    rows: (start, end) => {
      const rows = new Float32Array((end - start) * dimensions);
      for (let i = start; i < end; i++) rows.set(segment.vector(i), (i - start) * dimensions);
      return rows;
    },
  };
}
