import { inBlocks, inRows, type Steps } from "../steps.js";
import type { VectorShape } from "./packed-vectors.js";
import type { SegmentArrayName, SegmentArrays } from "./segment.js";

/** One thing that is wrong with a segment's arrays. */
export interface SegmentFinding {
  readonly what: string;
}

/** More findings than this say nothing new. */
const MAX_FINDINGS = 100;

/** Elements that are gone through in one step: in their order, a nanosecond or two each. */
const BLOCK = 2 ** 20;

/** One more than the greatest key. */
const KEY_LIMIT = 2 ** 53;

/** Arrays of one kind of elements, by the type of their elements. */
type NameOf<A> = { [N in SegmentArrayName]: SegmentArrays[N] extends A ? N : never }[SegmentArrayName];
type Uint32Name = NameOf<Uint32Array>;

/**
 * What would let a read of the arrays leave their bounds, or a binary search miss what is there: lengths that do not
 * fit each other, offsets that fall or end elsewhere than their data, numbers out of range, rows and keys out of
 * order. Empty when nothing is; at most 100 findings. Content that is in bounds but wrong (counts, texts, a transpose
 * that differs) is not looked at. Linear in the arrays without the vectors.
 */
export function* validateSegment(arrays: SegmentArrays, header: VectorShape): Steps<SegmentFinding[]> {
  const validator = new Validator(arrays);
  validator.lengths(header);
  // Everything below takes the lengths for granted.
  if (validator.findings.length === 0) yield* validator.contents();
  return validator.findings;
}

class Validator {
  readonly findings: SegmentFinding[] = [];
  readonly #arrays: SegmentArrays;

  constructor(arrays: SegmentArrays) {
    this.#arrays = arrays;
  }

  lengths({ dimensions, precision }: VectorShape): void {
    const { passageKeys, sentenceStarts, entityKeys, termKeys, ...arrays } = this.#arrays;
    const [P, S, E, T] = [passageKeys.length, sentenceStarts.length, entityKeys.length, termKeys.length];

    this.#length("idOffsets", P + 1, "passages + 1");
    this.#length("recordOffsets", P + 1, "passages + 1");
    this.#length("tokenIndptr", P + 1, "passages + 1");
    this.#length("sentenceIndptr", P + 1, "passages + 1");
    this.#length("containIndptr", P + 1, "passages + 1");
    this.#length("sentenceEnds", S, "sentences");
    this.#length("sentenceTokens", S, "sentences");
    this.#length("mentionIndptr", S + 1, "sentences + 1");
    this.#length("entityNameOffsets", E + 1, "entities + 1");
    this.#length("entityPassageIndptr", E + 1, "entities + 1");
    this.#length("entitySentenceIndptr", E + 1, "entities + 1");
    this.#length("termNameOffsets", T + 1, "terms + 1");
    this.#length("postingIndptr", T + 1, "terms + 1");
    this.#length("termMaxCounts", T, "terms");
    this.#length("termMinLengths", T, "terms");

    this.#length("containCounts", arrays.containEntities.length, "one for each of containEntities");
    this.#length("containDefines", arrays.containEntities.length, "one for each of containEntities");
    this.#length("entityPassages", arrays.containEntities.length, "one for each of containEntities");
    this.#length("entityPassageCounts", arrays.containEntities.length, "one for each of containEntities");
    this.#length("entityPassageDefines", arrays.containEntities.length, "one for each of containEntities");
    this.#length("entitySentences", arrays.mentionEntities.length, "one for each of mentionEntities");
    this.#length("postingCounts", arrays.postingPassages.length, "one for each of postingPassages");
    this.#length("postingLengths", arrays.postingPassages.length, "one for each of postingPassages");
    const [floats, codes] = precision === "float32" ? [P * dimensions, 0] : [0, P * dimensions];
    this.#length("vectors", floats, `passages × ${dimensions} dimensions in float32`);
    this.#length("vectorCodes", codes, `passages × ${dimensions} dimensions in int8`);
    this.#length("vectorScales", codes === 0 ? 0 : P, "one for each passage's codes");
  }

  *contents(): Steps<void> {
    const { passageKeys, sentenceStarts, entityKeys, termKeys } = this.#arrays;
    const [P, S, E, T] = [passageKeys.length, sentenceStarts.length, entityKeys.length, termKeys.length];

    yield* this.#keys("passageKeys", false);
    yield* this.#keys("entityKeys", true);
    yield* this.#keys("termKeys", true);

    yield* this.#offsets("idOffsets", "idBytes");
    yield* this.#offsets("recordOffsets", "recordBytes");
    yield* this.#offsets("entityNameOffsets", "entityNameBytes");
    yield* this.#offsets("termNameOffsets", "termNameBytes");

    const tokens = yield* this.#offsets("tokenIndptr", "tokens");
    const sentences = yield* this.#offsets("sentenceIndptr", "sentenceStarts");
    yield* this.#range("tokens", T, "terms");
    yield* this.#spans();
    if (tokens && sentences) yield* this.#sentenceTokens();

    yield* this.#rows("mentionIndptr", "mentionEntities", E, "entities");
    yield* this.#rows("containIndptr", "containEntities", E, "entities");
    yield* this.#rows("entityPassageIndptr", "entityPassages", P, "passages");
    yield* this.#rows("entitySentenceIndptr", "entitySentences", S, "sentences");
    yield* this.#rows("postingIndptr", "postingPassages", P, "passages");
    yield* this.#flags("containDefines");
    yield* this.#flags("entityPassageDefines");
  }

  #add(what: string): void {
    if (!this.#full()) this.findings.push({ what });
  }

  #full(): boolean {
    return this.findings.length >= MAX_FINDINGS;
  }

  #length(name: SegmentArrayName, expected: number, meaning: string): void {
    const { length } = this.#arrays[name];
    if (length !== expected) this.#add(`${name} has ${length} elements, not ${expected} (${meaning})`);
  }

  /** Integers in [0, 2^53), ascending. */
  *#keys(name: NameOf<Float64Array>, distinct: boolean): Steps<void> {
    const keys = this.#arrays[name];
    let previous = -1;
    yield* inBlocks(keys.length, BLOCK, (start, end) => {
      for (let i = start; i < end; i++) {
        const key = keys[i];
        // Written so that NaN fails.
        if (!(key >= 0 && key < KEY_LIMIT && Math.floor(key) === key)) {
          this.#add(`${name}[${i}] is ${key}, not an integer from 0 to 2^53 − 1`);
          if (this.#full()) return;
          continue;
        }
        if (key < previous || (distinct && key === previous)) {
          this.#add(`${name}[${i}] is ${key} after ${previous}: keys must ${distinct ? "rise" : "not fall"}`);
          if (this.#full()) return;
        }
        previous = key;
      }
    });
  }

  /** From 0, never falling, to the length of the data. False when a row could be out of bounds. */
  *#offsets(name: Uint32Name, data: SegmentArrayName): Steps<boolean> {
    const offsets = this.#arrays[name];
    const total = this.#arrays[data].length;
    const before = this.findings.length;
    if (offsets[0] !== 0) this.#add(`${name}[0] is ${offsets[0]}, not 0`);
    const last = offsets.length - 1;
    yield* inBlocks(last, BLOCK, (start, end) => {
      for (let i = start + 1; i <= end; i++) {
        if (offsets[i] >= offsets[i - 1]) continue;
        this.#add(`${name}[${i}] is ${offsets[i]} after ${offsets[i - 1]}: offsets must not fall`);
        if (this.#full()) return;
      }
    });
    if (offsets[last] !== total) this.#add(`${name}[${last}] is ${offsets[last]}, not ${total}, the length of ${data}`);
    return this.findings.length === before && !this.#full();
  }

  /** A CSR matrix: offsets, and in each row numbers below the limit, rising. */
  *#rows(indptrName: Uint32Name, name: Uint32Name, limit: number, things: string): Steps<void> {
    if (!(yield* this.#offsets(indptrName, name))) return;
    const indptr = this.#arrays[indptrName];
    const indices = this.#arrays[name];
    yield* inRows(indptr, BLOCK, (first, end) => {
      for (let row = first; row < end; row++) {
        const rowEnd = indptr[row + 1];
        let previous = -1;
        for (let i = indptr[row]; i < rowEnd; i++) {
          const index = indices[i];
          if (index > previous && index < limit) {
            previous = index;
            continue;
          }
          const problem = index < limit ? `after ${previous}: a row must rise` : `but there are ${limit} ${things}`;
          this.#add(`${name}[${i}], in row ${row}, is ${index} ${problem}`);
          if (this.#full()) return;
        }
      }
    });
  }

  *#range(name: Uint32Name, limit: number, things: string): Steps<void> {
    const values = this.#arrays[name];
    yield* inBlocks(values.length, BLOCK, (start, end) => {
      for (let i = start; i < end; i++) {
        if (values[i] < limit) continue;
        this.#add(`${name}[${i}] is ${values[i]}, but there are ${limit} ${things}`);
        if (this.#full()) return;
      }
    });
  }

  *#flags(name: NameOf<Uint8Array>): Steps<void> {
    const flags = this.#arrays[name];
    yield* inBlocks(flags.length, BLOCK, (start, end) => {
      for (let i = start; i < end; i++) {
        if (flags[i] <= 1) continue;
        this.#add(`${name}[${i}] is ${flags[i]}, neither 0 nor 1`);
        if (this.#full()) return;
      }
    });
  }

  *#spans(): Steps<void> {
    const { sentenceStarts, sentenceEnds } = this.#arrays;
    yield* inBlocks(sentenceStarts.length, BLOCK, (start, end) => {
      for (let i = start; i < end; i++) {
        if (sentenceStarts[i] <= sentenceEnds[i]) continue;
        this.#add(`sentence ${i} ends at ${sentenceEnds[i]}, before its start at ${sentenceStarts[i]}`);
        if (this.#full()) return;
      }
    });
  }

  /** Where a passage's sentences start in its tokens: never falling, within the passage's own. */
  *#sentenceTokens(): Steps<void> {
    const { tokenIndptr, sentenceIndptr, sentenceTokens } = this.#arrays;
    yield* inRows(sentenceIndptr, BLOCK, (first, last) => {
      for (let passage = first; passage < last; passage++) {
        const end = tokenIndptr[passage + 1];
        let least = tokenIndptr[passage];
        for (let i = sentenceIndptr[passage]; i < sentenceIndptr[passage + 1]; i++) {
          const start = sentenceTokens[i];
          if (start >= least && start <= end) {
            least = start;
            continue;
          }
          this.#add(`sentenceTokens[${i}], in passage ${passage}, is ${start}, not from ${least} to ${end}`);
          if (this.#full()) return;
        }
      }
    });
  }
}
