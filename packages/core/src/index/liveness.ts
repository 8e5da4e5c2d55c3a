import type { Segment } from "../segment/segment.js";
import { inBlocks, type Steps } from "../steps.js";
import { PagedCounts } from "./paged.js";

/** Passages whose terms and entities are counted in one step. */
const BLOCK = 128;

/**
 * Which passages of a segment are alive, and what the dead ones took with them: subtracting that from
 * the segment's own counts gives the statistics of a fresh build of the survivors. Immutable.
 */
export class Liveness {
  static readonly ALL = new Liveness({
    passages: 0,
    tokens: 0,
    sentences: 0,
    bits: PagedCounts.EMPTY,
    entityPassages: PagedCounts.EMPTY,
    entityDefinitions: PagedCounts.EMPTY,
    termPassages: PagedCounts.EMPTY,
  });

  /** Sums over the dead passages; the paged ones by passage bit, entity and term ordinal. */
  readonly dead: Readonly<{
    passages: number;
    tokens: number;
    sentences: number;
    bits: PagedCounts;
    entityPassages: PagedCounts;
    entityDefinitions: PagedCounts;
    termPassages: PagedCounts;
  }>;

  private constructor(dead: Liveness["dead"]) {
    this.dead = dead;
  }

  isLive(passage: number): boolean {
    return this.dead.passages === 0 || ((this.dead.bits.get(passage >>> 5) >>> (passage & 31)) & 1) === 0;
  }

  /** The state after these passages, alive until now and distinct, have died. Cost: what they hold. */
  *without(segment: Segment, passages: ArrayLike<number>): Steps<Liveness> {
    if (passages.length === 0) return this;
    const { arrays } = segment;
    const bits = this.dead.bits.edit();
    const entityPassages = this.dead.entityPassages.edit();
    const entityDefinitions = this.dead.entityDefinitions.edit();
    const termPassages = this.dead.termPassages.edit();
    let tokens = this.dead.tokens;
    let sentences = this.dead.sentences;
    yield* inBlocks(passages.length, BLOCK, (start, end) => {
      for (let at = start; at < end; at++) {
        const passage = passages[at];
        bits.setBit(passage);
        tokens += segment.passageLength(passage);
        sentences += arrays.sentenceIndptr[passage + 1] - arrays.sentenceIndptr[passage];
        for (let i = arrays.containIndptr[passage]; i < arrays.containIndptr[passage + 1]; i++) {
          entityPassages.add(arrays.containEntities[i], 1);
          if (arrays.containDefines[i] === 1) entityDefinitions.add(arrays.containEntities[i], 1);
        }
        const terms = new Set(arrays.tokens.subarray(arrays.tokenIndptr[passage], arrays.tokenIndptr[passage + 1]));
        for (const term of terms) termPassages.add(term, 1);
      }
    });
    return new Liveness({
      passages: this.dead.passages + passages.length,
      tokens,
      sentences,
      bits: bits.freeze(),
      entityPassages: entityPassages.freeze(),
      entityDefinitions: entityDefinitions.freeze(),
      termPassages: termPassages.freeze(),
    });
  }

  /** The dead passages' ordinals, ascending. */
  deadPassages(): number[] {
    const dead: number[] = [];
    for (const [word, bits] of this.dead.bits.entries()) {
      for (let bit = 0; bit < 32; bit++) if (((bits >>> bit) & 1) === 1) dead.push(word * 32 + bit);
    }
    return dead;
  }
}
