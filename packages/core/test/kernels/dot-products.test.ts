import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BLOCK,
  codeProduct,
  dotProducts,
  floatProduct,
  plainKernel,
  wasmKernel,
} from "../../src/dense/dot-products.js";
import { KERNEL } from "../../src/dense/kernel.wasm.js";
import { readFile } from "node:fs/promises";
import wabt from "wabt";
import { runs } from "./runs.js";

/** Rows and a query of any length, the extremes included, whose sums stay within 32 bits. */
const products = fc.integer({ min: 1, max: 70 }).chain((size) =>
  fc.record({
    query: fc.array(fc.constantFrom(-32_767, -300, -1, 0, 1, 255, 32_767), { minLength: size, maxLength: size }),
    rows: fc.array(fc.int8Array({ min: -127, max: 127, minLength: size, maxLength: size }), { maxLength: 20 }),
  }),
);

describe("dot products", () => {
  it("of codes are sums of products, by WebAssembly and without", () => {
    const wasm = wasmKernel();
    expect(wasm).toBeDefined();
    const plain = plainKernel();
    fc.assert(
      fc.property(products, fc.nat(), ({ query, rows }, skipped) => {
        const first = rows.length === 0 ? 0 : skipped % rows.length;
        const count = rows.length - first;
        const flat = Int8Array.from(rows.flatMap((row) => [...row]));
        const codes = Int16Array.from(query);
        const expected = rows.slice(first).map((row) => row.reduce((sum, code, i) => sum + code * query[i], 0));
        expect([...plain(codes, flat, first, count).subarray(0, count)]).toEqual(expected);
        expect([...wasm!(codes, flat, first, count).subarray(0, count)]).toEqual(expected);
        expect([...dotProducts(codes, flat, first, count).subarray(0, count)]).toEqual(expected);
        rows.forEach((_, r) => {
          if (r >= first) expect(codeProduct(codes, flat, r * query.length)).toBe(expected[r - first]);
        });
      }),
      runs(300),
    );
  });

  it("of a whole block and of long rows fit the kernel's memory", () => {
    const wasm = wasmKernel()!;
    for (const size of [1, 384, 1024, 3072]) {
      const query = new Int16Array(size).fill(3);
      const rows = new Int8Array(size * BLOCK).fill(-2);
      expect(new Set(wasm(query, rows, 0, BLOCK))).toEqual(new Set([-6 * size]));
    }
  });

  it("of numbers are sums of products, whatever the length", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))), (pairs) => {
        const query = Float32Array.from(pairs, ([a]) => a / 8);
        const rows = Float32Array.from([7, ...pairs.map(([, b]) => b / 8)]);
        // Eighths and their products are exact.
        expect(floatProduct(query, rows, 1)).toBe(pairs.reduce((sum, [a, b]) => sum + (a * b) / 64, 0));
      }),
      runs(200),
    );
  });

  it("run the kernel that kernel.wat says", async () => {
    const assembler = await wabt();
    const text = await readFile(new URL("../../src/dense/kernel.wat", import.meta.url), "utf8");
    expect(KERNEL).toEqual(new Uint8Array(assembler.parseWat("kernel.wat", text).toBinary({}).buffer));
  });
});
