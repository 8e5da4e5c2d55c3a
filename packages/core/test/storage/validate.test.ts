import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SegmentArrayName, SegmentArrays } from "../../src/segment/segment.js";
import { validateSegment } from "../../src/segment/validate.js";
import { finish } from "../../src/steps.js";
import { packDraft, sample, segments } from "./arrays.js";

const NAMES = Object.keys(sample.arrays) as SegmentArrayName[];

const NO_VECTORS = { dimensions: 0, precision: "float32" } as const;

function findings(change: Partial<SegmentArrays>): string[] {
  return finish(validateSegment({ ...sample.arrays, ...change }, sample.header)).map((finding) => finding.what);
}

/** A copy with one element changed. */
function put<A extends Uint8Array | Uint32Array | Float64Array>(array: A, index: number, value: number): A {
  const copy = array.slice() as A;
  copy[index] = value;
  return copy;
}

describe("validateSegment", () => {
  it("finds nothing in consistent arrays", () => {
    fc.assert(
      fc.property(segments, ({ arrays, header }) => {
        expect(finish(validateSegment(arrays, header))).toEqual([]);
      }),
    );
  });

  it("finds every array that is one element too long or too short", () => {
    for (const name of NAMES) {
      const array = sample.arrays[name];
      const longer = new (array.constructor as Uint32ArrayConstructor)(array.length + 1);
      longer.set(array);
      expect(findings({ [name]: longer }), name).not.toEqual([]);
      // The sample's vectors are codes.
      if (name === "vectors") continue;
      expect(findings({ [name]: array.slice(0, -1) }), name).not.toEqual([]);
      expect(findings({ [name]: array.slice(0, 0) }), name).not.toEqual([]);
    }
  });

  it("names what is wrong", () => {
    const { arrays } = sample;
    expect(findings({ passageKeys: Float64Array.of(5, 4) })).toEqual([
      "passageKeys[1] is 4 after 5: keys must not fall",
    ]);
    expect(findings({ passageKeys: Float64Array.of(5, 5) })).toEqual([]);
    expect(findings({ entityKeys: put(arrays.entityKeys, 1, arrays.entityKeys[0]) })).toHaveLength(1);
    expect(findings({ termKeys: put(arrays.termKeys, 2, 2 ** 53) })).toHaveLength(1);
    expect(findings({ termKeys: put(arrays.termKeys, 0, NaN) })).toHaveLength(1);
    expect(findings({ termKeys: put(arrays.termKeys, 0, 0.5) })).toHaveLength(1);
    expect(findings({ termKeys: put(arrays.termKeys, 0, -1) })).toHaveLength(1);
    expect(findings({ idOffsets: Uint32Array.of(1, 1, 2) })).toEqual(["idOffsets[0] is 1, not 0"]);
    expect(findings({ idOffsets: Uint32Array.of(0, 3, 2) })).toEqual([
      "idOffsets[2] is 2 after 3: offsets must not fall",
    ]);
    expect(findings({ idOffsets: Uint32Array.of(0, 1, 1) })).toEqual([
      "idOffsets[2] is 1, not 2, the length of idBytes",
    ]);
    expect(findings({ sentenceEnds: put(arrays.sentenceEnds, 1, 9) })).toEqual([
      "sentence 1 ends at 9, before its start at 10",
    ]);
    expect(findings({ sentenceTokens: put(arrays.sentenceTokens, 1, 0) })).toEqual([
      "sentenceTokens[1], in passage 0, is 0, not from 1 to 4",
    ]);
    expect(findings({ sentenceTokens: put(arrays.sentenceTokens, 2, 7) })).toEqual([
      "sentenceTokens[2], in passage 1, is 7, not from 4 to 6",
    ]);
    expect(findings({ containEntities: put(arrays.containEntities, 0, 1) })).toEqual([
      "containEntities[1], in row 0, is 1 after 1: a row must rise",
    ]);
    expect(findings({ mentionEntities: put(arrays.mentionEntities, 1, 2 ** 32 - 1) })).toEqual([
      `mentionEntities[1], in row 0, is ${2 ** 32 - 1} but there are 3 entities`,
    ]);
    expect(findings({ containDefines: put(arrays.containDefines, 1, 2) })).toEqual([
      "containDefines[1] is 2, neither 0 nor 1",
    ]);
    expect(
      finish(validateSegment(arrays, { dimensions: 3, precision: "int8" })).map((finding) => finding.what),
    ).toEqual(["vectorCodes has 4 elements, not 6 (passages × 3 dimensions in int8)"]);
    expect(
      finish(validateSegment(arrays, { dimensions: 2, precision: "float32" })).map((finding) => finding.what),
    ).toEqual([
      "vectors has 0 elements, not 4 (passages × 2 dimensions in float32)",
      "vectorCodes has 4 elements, not 0 (passages × 2 dimensions in int8)",
      "vectorScales has 2 elements, not 0 (one for each passage's codes)",
    ]);
  });

  it("finds every element of an offset or index array that is out of range", () => {
    const bounded = NAMES.filter((name) =>
      /Indptr$|Offsets$|^tokens$|^(mention|contain)Entities$|^entity(Passages|Sentences)$|^postingPassages$|^sentenceTokens$/.test(
        name,
      ),
    ) as "tokens"[];
    expect(bounded).toHaveLength(18);
    for (const name of bounded) {
      for (let i = 0; i < sample.arrays[name].length; i++) {
        expect(findings({ [name]: put(sample.arrays[name], i, 4_000_000_000) }), `${name}[${i}]`).not.toEqual([]);
      }
    }
  });

  it("stops at 100 findings", () => {
    const many = packDraft({
      entityNames: [],
      termNames: ["a"],
      dimensions: 0,
      precision: "float32",
      passages: [{ id: "a", record: "", title: { tokens: Array<number>(500).fill(0), entities: [] }, sentences: [] }],
    });
    expect(finish(validateSegment({ ...many, tokens: many.tokens.map(() => 7) }, NO_VECTORS))).toHaveLength(100);
  });
});
