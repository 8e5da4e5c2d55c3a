import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeSegments } from "../../src/segment/merge.js";
import type { Segment, SegmentArrayName } from "../../src/segment/segment.js";
import { validateSegment } from "../../src/segment/validate.js";
import { finish } from "../../src/steps.js";
import { stableKey } from "../../src/text/keys.js";
import { runs } from "./runs.js";
import {
  inSegmentOrder,
  placements,
  recordOf,
  ScriptedAnalyzer,
  type ScriptedPassage,
  segmentOf,
  TWINS,
} from "./scripted.js";

const DIMENSIONS = 3;

function vectorOf(id: string): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.fround(Math.sin(stableKey(id) + i)));
}

function build(passages: readonly ScriptedPassage[]): Segment {
  return segmentOf(passages, new ScriptedAnalyzer(), vectorOf);
}

function expectSame(actual: Segment, expected: Segment): void {
  expect(Object.keys(actual.arrays)).toEqual(Object.keys(expected.arrays));
  for (const name of Object.keys(expected.arrays) as SegmentArrayName[]) {
    const [a, b] = [actual.arrays[name], expected.arrays[name]];
    expect(a.constructor, name).toBe(b.constructor);
    // Typed arrays are slow to compare element by element; that is for the message alone.
    if (!bytesOf(a).equals(bytesOf(b))) expect(a, name).toEqual(b);
  }
  expect(actual.header).toEqual(expected.header);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function merge(segments: readonly Segment[], dead: ReadonlySet<string> = new Set()): Segment {
  return finish(
    mergeSegments(segments.map((segment) => ({ segment, isLive: (passage) => !dead.has(segment.passageId(passage)) }))),
  );
}

/** How segments are merged one after the other: which two or more neighbours next. */
const groupings = fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 4 })), { maxLength: 6 });

function mergeInSteps(segments: readonly Segment[], steps: readonly (readonly [number, number])[]): Segment {
  const rest = [...segments];
  for (const [place, width] of steps) {
    const at = place % rest.length;
    rest.splice(at, 0, merge(rest.splice(at, width)));
  }
  return merge(rest);
}

describe("segments", () => {
  it("merged in any grouping are the segment built at once, bit for bit", () => {
    fc.assert(
      fc.property(placements, groupings, ({ segments, passages }, steps) => {
        const parts = Array.from({ length: segments }, (_, i) =>
          build(passages.filter(({ segment }) => segment === i)),
        );
        expectSame(mergeInSteps(parts, steps), build(passages));
      }),
      runs(300),
    );
  });

  it("merged without their dead are the segment built of the others", () => {
    fc.assert(
      fc.property(placements, groupings, (placement, steps) => {
        // A name that shares its key with a dead one's is kept under the dead one's; here there are none.
        const passages = placement.passages.map(({ text, title, ...rest }) => ({
          ...rest,
          text: text.replaceAll("Twain", "Bonn"),
          ...(title === undefined ? {} : { title }),
        }));
        const dead = new Set(passages.filter(({ state }) => state === "dead").map(({ id }) => id));
        const parts = Array.from({ length: placement.segments }, (_, i) =>
          build(passages.filter(({ segment }) => segment === i)),
        );
        const expected = build(passages.filter(({ id }) => !dead.has(id)));
        expectSame(merge(parts, dead), expected);
        // Some die before an earlier merge, some after.
        expectSame(merge([mergeInSteps(parts, steps)], dead), expected);
      }),
      runs(200),
    );
  });

  it("do not depend on the order in which passages are added", () => {
    fc.assert(
      fc.property(
        placements.chain(({ passages }) =>
          fc.tuple(fc.constant(passages), fc.shuffledSubarray([...passages], { minLength: passages.length })),
        ),
        ([passages, shuffled]) => {
          expectSame(build(shuffled), build(passages));
        },
      ),
      runs(200),
    );
  });

  it("hold the passages by key, then id, with record, vector and sentences, consistently", () => {
    fc.assert(
      fc.property(placements, ({ passages }) => {
        const segment = build(passages);
        const { sentenceIndptr, sentenceStarts, sentenceEnds } = segment.arrays;
        expect(finish(validateSegment(segment.arrays, segment.header))).toEqual([]);
        inSegmentOrder(passages).forEach((passage, p) => {
          expect(segment.passageId(p)).toBe(passage.id);
          expect(segment.findPassage(passage.id, stableKey(passage.id))).toBe(p);
          expect(segment.record(p)).toBe(recordOf(passage));
          expect(segment.vector(p)).toEqual(vectorOf(passage.id));
          const sentences = Array.from({ length: sentenceIndptr[p + 1] - sentenceIndptr[p] }, (_, i) => {
            expect(segment.passageOfSentence(sentenceIndptr[p] + i)).toBe(p);
            return passage.text.slice(sentenceStarts[sentenceIndptr[p] + i], sentenceEnds[sentenceIndptr[p] + i]);
          });
          expect(sentences.join(" ")).toBe(passage.text);
        });
        expect(segment.findPassage("nowhere", stableKey("nowhere"))).toBe(-1);
        // A key alone is no proof of an id.
        expect(segment.findPassage(`${TWINS[0]}!`, stableKey(TWINS[0]))).toBe(-1);
      }),
      runs(200),
    );
  });

  it("make one entity of two names with one key, under the first name, and say so", () => {
    const segment = build([
      { id: "1", text: "Twain met Twin. Twain." },
      { id: "2", text: "Twain." },
    ]);
    const { entityKeys, containCounts, mentionIndptr, mentionEntities } = segment.arrays;
    expect([...entityKeys]).toEqual([stableKey(TWINS[0])]);
    expect(segment.entityName(0)).toBe(TWINS[0]);
    expect(segment.header.collisions).toEqual([[...TWINS]]);
    expect([...containCounts].sort()).toEqual([1, 3]);
    expect([...mentionIndptr]).toEqual([0, 1, 2, 3]);
    expect([...mentionEntities]).toEqual([0, 0, 0]);

    // What one name brings, its definition or its count, the other does not take away.
    const { arrays } = build([{ id: "1", title: TWINS[0], text: "it is Twain." }]);
    expect([...arrays.containCounts]).toEqual([1]);
    expect([...arrays.containDefines]).toEqual([1]);
  });
});
