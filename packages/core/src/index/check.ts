/** The consistency check: everything stored against everything else, and against the texts. */
import { nextTurn } from "../abort.js";
import { IndexError } from "../errors.js";
import { SegmentBuilder } from "../segment/builder.js";
import { quantize } from "../segment/packed-vectors.js";
import { decodeRecord } from "../segment/record.js";
import type { Segment } from "../segment/segment.js";
import { validateSegment } from "../segment/validate.js";
import { type Analyzer, readTexts } from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";
import { inTurns } from "../steps.js";
import type { CheckFinding, LongCallOptions } from "../types.js";
import { Liveness } from "./liveness.js";
import type { View } from "./view.js";

/**
 * Each segment's arrays are validated against each other, then rebuilt from its texts and compared; the
 * dead passages' counts are recounted; no id may be alive twice. Empty when all is well.
 */
export async function checkView(
  view: View,
  analyzer: Analyzer,
  { signal, onProgress }: LongCallOptions,
): Promise<CheckFinding[]> {
  signal?.throwIfAborted();
  const findings: CheckFinding[] = [];
  const total = view.parts.reduce((sum, { segment }) => sum + segment.passageCount, 0);
  let done = 0;
  for (const [i, { segment, liveness }] of view.parts.entries()) {
    const where = `segment ${i}`;
    const invalid = await inTurns(validateSegment(segment.arrays, segment.header), signal);
    findings.push(...invalid.map(({ what }) => ({ where, what })));
    // Reading passages of arrays that contradict each other would only raise more errors.
    if (invalid.length === 0) {
      const builder = new SegmentBuilder({ dimensions: 0, precision: "float32" });
      for (let p = 0; p < segment.passageCount; p++) {
        if (p % 1000 === 0) {
          await nextTurn();
          signal?.throwIfAborted();
          onProgress?.({ phase: "check", done: done + p, total });
        }
        try {
          const wrong = await readInto(builder, segment, p, analyzer, signal);
          findings.push(...wrong.map((what) => ({ where, what })));
        } catch (error) {
          // A passage that cannot be read; the comparison below then finds it missing as well.
          if (!(error instanceof IndexError)) throw error;
          findings.push({ where, what: `passage ${p}: ${error.message}` });
        }
      }
      const rebuilt = await inTurns(builder.freeze(), signal);
      findings.push(...compareArrays(segment, rebuilt).map((what) => ({ where, what })));
      const recount = await inTurns(Liveness.ALL.without(segment, liveness.deadPassages()), signal);
      findings.push(...compareLiveness(segment, liveness, recount).map((what) => ({ where, what })));
    }
    done += segment.passageCount;
    onProgress?.({ phase: "check", done, total });
  }
  findings.push(...duplicateIds(view));
  return findings;
}

/** Adds a stored passage to the rebuild; returns what is wrong with it. */
async function readInto(
  builder: SegmentBuilder,
  segment: Segment,
  passage: number,
  analyzer: Analyzer,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const record = segment.record(passage);
  const { id, text, title } = decodeRecord(record);
  builder.add({ id, text, title, record, vector: undefined }, await readTexts(analyzer, [text], signal));
  const wrong: string[] = [];
  if (segment.passageId(passage) !== id) wrong.push(`passage ${passage} is stored as ${JSON.stringify(id)}`);
  if (segment.arrays.passageKeys[passage] !== stableKey(id))
    wrong.push(`the key of passage ${passage} is not its id's`);
  const { dimensions, precision } = segment.header;
  if (dimensions > 0 && !isUnit(segment.vector(passage))) {
    wrong.push(`the vector of passage ${passage} has neither length 1 nor 0`);
  } else if (dimensions > 0 && precision === "int8" && !isAsQuantized(segment, passage)) {
    wrong.push(`the vector of passage ${passage} has not the codes and the scale of its numbers`);
  }
  return wrong;
}

/** float32 rounds each of the vector's numbers. */
const LENGTH_TOLERANCE = 1e-4;

function isUnit(vector: Float32Array): boolean {
  const squares = vector.reduce((sum, value) => sum + value * value, 0);
  return squares === 0 || Math.abs(squares - 1) < LENGTH_TOLERANCE;
}

/** Codes use their whole range, and the scale follows from them. */
function isAsQuantized(segment: Segment, passage: number): boolean {
  const { vectorCodes, vectorScales } = segment.arrays;
  const { dimensions } = segment.header;
  const codes = new Int8Array(dimensions);
  const scale = quantize(segment.vector(passage), codes);
  const start = passage * dimensions;
  return Math.fround(scale) === vectorScales[passage] && codes.every((code, i) => code === vectorCodes[start + i]);
}

function compareArrays(stored: Segment, rebuilt: Segment): string[] {
  const wrong: string[] = [];
  for (const [name, array] of Object.entries(stored.arrays) as [keyof Segment["arrays"], Uint32Array][]) {
    // Texts do not say what their vectors are.
    if (name.startsWith("vector")) continue;
    const expected = rebuilt.arrays[name];
    const difference = array.findIndex((value, i) => value !== expected[i]);
    if (difference >= 0) {
      wrong.push(`${name}[${difference}] is ${array[difference]}, the texts say ${expected[difference]}`);
    } else if (array.length !== expected.length) {
      wrong.push(`${name} has ${array.length} elements, the texts give ${expected.length}`);
    }
  }
  return wrong;
}

function compareLiveness({ arrays }: Segment, { dead }: Liveness, { dead: recount }: Liveness): string[] {
  const wrong: string[] = [];
  for (const name of ["passages", "tokens", "sentences"] as const) {
    if (dead[name] !== recount[name]) wrong.push(`dead ${name}: ${dead[name]} counted, ${recount[name]} found`);
  }
  const sizes = {
    entityPassages: arrays.entityKeys.length,
    entityDefinitions: arrays.entityKeys.length,
    termPassages: arrays.termKeys.length,
  };
  for (const name of ["entityPassages", "entityDefinitions", "termPassages"] as const) {
    for (let i = 0; i < sizes[name]; i++) {
      if (dead[name].get(i) === recount[name].get(i)) continue;
      wrong.push(`dead ${name} of ${i}: ${dead[name].get(i)} counted, ${recount[name].get(i)} found`);
      break;
    }
  }
  return wrong;
}

function duplicateIds({ parts }: View): CheckFinding[] {
  const findings: CheckFinding[] = [];
  for (const [i, { segment, liveness }] of parts.entries()) {
    for (let p = 0; p < segment.passageCount; p++) {
      if (!liveness.isLive(p)) continue;
      const id = segment.passageId(p);
      const twin = parts.slice(0, i).findIndex((part) => {
        const other = part.segment.findPassage(id, segment.arrays.passageKeys[p]);
        return other >= 0 && part.liveness.isLive(other);
      });
      if (twin >= 0)
        findings.push({ where: `segment ${i}`, what: `${JSON.stringify(id)} is alive in segment ${twin} too` });
    }
  }
  return findings;
}
