import * as zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../src/directory/checksum.js";
import { IndexError } from "../../src/errors.js";
import { type DecodeOptions, decodeSegment, encodeSegment, segmentChecksum } from "../../src/segment/codec.js";
import type { SegmentArrayName, SegmentArrays } from "../../src/segment/segment.js";
import { finish } from "../../src/steps.js";
import { join, sample, segments } from "./arrays.js";

interface SectionEntry {
  name: string;
  dtype: string;
  count: number;
  offset: number;
  crc32: number;
}

interface TableJson {
  dimensions: unknown;
  collisions: unknown;
  sections: SectionEntry[];
}

const decode = (bytes: Uint8Array, options?: DecodeOptions) => finish(decodeSegment(bytes, options));

const SAMPLE = join(finish(encodeSegment(sample.arrays, sample.header)));

function decodeError(bytes: Uint8Array): IndexError {
  try {
    decode(bytes, { file: "s.seg" });
  } catch (error) {
    expect(error).toBeInstanceOf(IndexError);
    return error as IndexError;
  }
  throw new Error("decodeSegment accepted the bytes");
}

function expectCorrupt(bytes: Uint8Array, message: RegExp): void {
  const error = decodeError(bytes);
  expect(error.code).toBe("CORRUPT_INDEX");
  expect(error.message).toMatch(/s\.seg/);
  expect(error.message).toMatch(message);
}

/** The file with another table and all checksums of the header right: what damage cannot do, but malice can. */
function withTable(bytes: Uint8Array, change: (table: TableJson) => void, version = 3): Uint8Array {
  const length = new DataView(bytes.buffer).getUint32(12, true);
  const table = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as TableJson;
  change(table);
  return withRawTable(bytes, JSON.stringify(table), version);
}

function withRawTable(bytes: Uint8Array, json: string, version = 3): Uint8Array {
  const length = new DataView(bytes.buffer).getUint32(12, true);
  const table = new TextEncoder().encode(json);
  const head = new Uint8Array(Math.ceil((20 + table.length) / 8) * 8);
  head.set(bytes.subarray(0, 8));
  head.set(table, 20);
  const view = new DataView(head.buffer);
  view.setUint32(8, version, true);
  view.setUint32(12, table.length, true);
  view.setUint32(16, crc32(head.subarray(20, 20 + table.length), crc32(head.subarray(0, 16))), true);
  return join([head, bytes.subarray(Math.ceil((20 + length) / 8) * 8)]);
}

describe("crc32", () => {
  it("is zlib's, also in parts", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (a, b) => {
        expect(crc32(b, crc32(a))).toBe(zlib.crc32(Buffer.concat([a, b])));
      }),
    );
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });
});

describe("encodeSegment and decodeSegment", () => {
  it("give back what went in", () => {
    fc.assert(
      fc.property(segments, ({ arrays, header }) => {
        const decoded = decode(join(finish(encodeSegment(arrays, header))));
        expect(decoded).toEqual({ arrays, header });
      }),
    );
  });

  it("encode without copying the arrays, and decode without copying the file", () => {
    const chunks = finish(encodeSegment(sample.arrays, sample.header));
    expect(chunks.some((chunk) => chunk.buffer === sample.arrays.vectorCodes.buffer)).toBe(true);
    for (const array of Object.values(decode(SAMPLE).arrays) as Uint8Array[]) {
      expect(array.buffer).toBe(SAMPLE.buffer);
    }
  });

  it("decode from any place in a buffer", () => {
    for (let shift = 1; shift < 8; shift++) {
      const moved = new Uint8Array(SAMPLE.length + shift).subarray(shift);
      moved.set(SAMPLE);
      expect(decode(moved)).toEqual(sample);
    }
  });

  it("encode arrays that are views of larger buffers", () => {
    const decoded = decode(SAMPLE);
    expect(join(finish(encodeSegment(decoded.arrays, decoded.header)))).toEqual(SAMPLE);
  });

  it("use the checksum they are given, and agree on its values", () => {
    expect(join(finish(encodeSegment(sample.arrays, sample.header, zlib.crc32)))).toEqual(SAMPLE);
    expect(decode(SAMPLE, { checksum: zlib.crc32 })).toEqual(sample);
    expect(() => decode(SAMPLE, { checksum: () => 0 })).toThrow(/checksum/);
  });

  it("know the file by its checksum", () => {
    const expected = segmentChecksum(SAMPLE);
    expect(decode(SAMPLE, { expected })).toEqual(sample);
    expect(() => decode(SAMPLE, { expected: expected + 1 })).toThrow(/another file/);
    const other = { ...sample.arrays, vectorScales: sample.arrays.vectorScales.map((x) => x + 1) };
    expect(segmentChecksum(finish(encodeSegment(other, sample.header))[0])).not.toBe(expected);
  });

  it("write the documented layout", () => {
    expect(new TextDecoder().decode(SAMPLE.subarray(0, 8))).toBe("TRIGRAPH");
    const view = new DataView(SAMPLE.buffer);
    expect(view.getUint32(8, true)).toBe(3);
    const length = view.getUint32(12, true);
    const table = JSON.parse(new TextDecoder().decode(SAMPLE.subarray(20, 20 + length))) as TableJson;
    expect(table.sections.map((section) => section.name).sort()).toEqual(Object.keys(sample.arrays).sort());
    const start = Math.ceil((20 + length) / 8) * 8;
    const keys = table.sections[0];
    expect(keys).toMatchObject({ name: "passageKeys", dtype: "f64", count: 2, offset: 0 });
    expect(view.getFloat64(start + 8, true)).toBe(sample.arrays.passageKeys[1]);
    expect(keys.crc32).toBe(zlib.crc32(SAMPLE.subarray(start, start + 16)));
  });
});

describe("decodeSegment of damaged bytes", () => {
  it("refuses every flipped byte", () => {
    for (let i = 0; i < SAMPLE.length; i++) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const damaged = SAMPLE.slice();
        damaged[i] ^= mask;
        expect(decodeError(damaged).code).toBe("CORRUPT_INDEX");
      }
    }
  });

  it("refuses every truncation and every extension", () => {
    for (let length = 0; length < SAMPLE.length; length++) {
      expect(decodeError(SAMPLE.slice(0, length)).code).toBe("CORRUPT_INDEX");
    }
    expectCorrupt(join([SAMPLE, new Uint8Array(3)]), /3 bytes after its last section/);
  });

  it("never fails with another error, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (noise, asTable) => {
        decodeError(asTable ? withRawTable(SAMPLE, new TextDecoder().decode(noise)) : noise);
      }),
    );
    fc.assert(
      fc.property(fc.json(), (json) => {
        expectCorrupt(withRawTable(SAMPLE, json), /./);
      }),
    );
  });

  it("says that a newer format needs a newer library, and an older one a new build", () => {
    const newer = decodeError(withTable(SAMPLE, () => undefined, 4));
    expect(newer.code).toBe("INDEX_MISMATCH");
    expect(newer.message).toMatch(/format 4.*update the library/);
    for (const version of [0, 1, 2]) {
      const older = decodeError(withTable(SAMPLE, () => undefined, version));
      expect(older.code).toBe("INDEX_MISMATCH");
      expect(older.message).toMatch(
        /format [012],.*reads format 3: open it with the library that wrote it, or build the index again/,
      );
    }
  });

  it("refuses sections that are swapped, missing, twice there or unknown", () => {
    const swap = (table: TableJson) => {
      const [a, b] = [table.sections[5], table.sections[7]];
      table.sections[5] = b;
      table.sections[7] = a;
    };
    expectCorrupt(withTable(SAMPLE, swap), /section sentenceIndptr \(u32\) where tokenIndptr/);
    const swapPlaces = (table: TableJson) => {
      // sentenceStarts and sentenceEnds are equally long: only order and checksums tell them apart.
      const [a, b] = [table.sections[8], table.sections[9]];
      [a.offset, b.offset] = [b.offset, a.offset];
      [a.crc32, b.crc32] = [b.crc32, a.crc32];
    };
    expectCorrupt(withTable(SAMPLE, swapPlaces), /section sentenceStarts at byte/);
    expectCorrupt(
      withTable(SAMPLE, (t) => t.sections.pop()),
      /37 sections, not 38/,
    );
    expectCorrupt(
      withTable(SAMPLE, (t) => t.sections.push(t.sections[0])),
      /39 sections/,
    );
    expectCorrupt(
      withTable(SAMPLE, (t) => (t.sections[1] = t.sections[0])),
      /passageKeys \(f64\) where idOffsets/,
    );
    expectCorrupt(
      withTable(SAMPLE, (t) => (t.sections[1].name = "__proto__")),
      /__proto__/,
    );
    expectCorrupt(
      withTable(SAMPLE, (t) => (t.sections[1].dtype = "f32")),
      /idOffsets \(f32\)/,
    );
  });

  it("refuses counts and offsets beyond the file before it allocates", () => {
    for (const huge of [1e6, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expectCorrupt(
        withTable(SAMPLE, (t) => (t.sections[2].count = huge)),
        /inside the section idBytes/,
      );
      expectCorrupt(
        withTable(SAMPLE, (t) => (t.sections[2].offset = huge)),
        /at byte/,
      );
      expectCorrupt(
        withTable(SAMPLE, (t) => (t.dimensions = huge)),
        /vectorCodes/,
      );
    }
    for (const wrong of [-1, 0.5, 1e300, null, "4"]) {
      expectCorrupt(
        withTable(SAMPLE, (t) => (t.sections[2].count = wrong as number)),
        /wrong table/,
      );
      expectCorrupt(
        withTable(SAMPLE, (t) => (t.sections[2].offset = wrong as number)),
        /wrong table/,
      );
    }
    const long = SAMPLE.slice();
    new DataView(long.buffer).setUint32(12, 0xffffffff, true);
    expectCorrupt(long, /inside its table/);
  });

  it("refuses well-packed arrays that would lead out of bounds", () => {
    const broken = (change: Partial<Record<SegmentArrayName, unknown>>) =>
      join(finish(encodeSegment({ ...sample.arrays, ...change } as SegmentArrays, sample.header)));
    expectCorrupt(broken({ tokens: Uint32Array.of(0, 1, 9, 0, 1, 2) }), /tokens\[2\] is 9, but there are 3 terms/);
    expectCorrupt(broken({ sentenceEnds: Uint32Array.of(1) }), /sentenceEnds has 1 elements, not 3/);
  });
});
