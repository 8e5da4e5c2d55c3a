import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_COUNT, postingsOf, transpose } from "../../src/segment/transpose.js";
import { finish } from "../../src/steps.js";
import { runs } from "./runs.js";

function csr(rows: readonly (readonly number[])[]) {
  const indptr = [0];
  for (const row of rows) indptr.push(indptr[indptr.length - 1] + row.length);
  return { indptr: Uint32Array.from(indptr), indices: Uint32Array.from(rows.flat()) };
}

function rowOf<T extends Uint32Array | Uint16Array>(indptr: Uint32Array, values: T, row: number): number[] {
  return [...values.subarray(indptr[row], indptr[row + 1])];
}

/** Rows of column numbers below `columns`. */
const rows = fc.integer({ min: 0, max: 8 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.array(
      columns === 0 ? fc.constant<number[]>([]) : fc.array(fc.integer({ min: 0, max: columns - 1 }), { maxLength: 9 }),
      { maxLength: 9 },
    ),
  }),
);

describe("transpose", () => {
  it("is the dense transpose, and knows where each entry stood", () => {
    fc.assert(
      fc.property(rows, ({ columns, rows }) => {
        const distinct = rows.map((row) => [...new Set(row)].sort((a, b) => a - b));
        const { indptr, indices } = csr(distinct);
        const result = finish(transpose({ indptr, indices }, columns));
        expect(result.indptr).toHaveLength(columns + 1);
        for (let c = 0; c < columns; c++) {
          const expected = distinct.flatMap((row, r) => (row.includes(c) ? [r] : []));
          expect(rowOf(result.indptr, result.indices, c)).toEqual(expected);
          expect(rowOf(result.indptr, result.from, c)).toEqual(expected.map((r) => indptr[r] + distinct[r].indexOf(c)));
        }
        // There and back again.
        const back = finish(transpose(result, rows.length));
        expect(back).toMatchObject({ indptr, indices });
      }),
      runs(300),
    );
  });
});

describe("postingsOf", () => {
  it("is counted term by term", () => {
    fc.assert(
      fc.property(rows, ({ columns, rows }) => {
        const { indptr, indices } = csr(rows);
        const postings = finish(postingsOf(indptr, indices, columns));
        expect(postings.postingIndptr).toHaveLength(columns + 1);
        for (let term = 0; term < columns; term++) {
          const passages = rows.flatMap((row, p) => (row.includes(term) ? [p] : []));
          const counts = passages.map((p) => rows[p].filter((token) => token === term).length);
          expect(rowOf(postings.postingIndptr, postings.postingPassages, term)).toEqual(passages);
          expect(rowOf(postings.postingIndptr, postings.postingCounts, term)).toEqual(counts);
          expect(rowOf(postings.postingIndptr, postings.postingLengths, term)).toEqual(
            passages.map((p) => rows[p].length),
          );
          expect(postings.termMaxCounts[term]).toBe(Math.max(0, ...counts));
          if (passages.length > 0) {
            expect(postings.termMinLengths[term]).toBe(Math.min(...passages.map((p) => rows[p].length)));
          }
        }
      }),
      runs(300),
    );
  });

  it("stops counting where 16 bits end", () => {
    const { indptr, indices } = csr([Array<number>(70_000).fill(0), [0, 1]]);
    const { postingCounts, postingLengths, termMaxCounts, termMinLengths } = finish(postingsOf(indptr, indices, 2));
    expect([...postingCounts]).toEqual([MAX_COUNT, 1, 1]);
    expect([...postingLengths]).toEqual([MAX_COUNT, 2, 2]);
    expect([...termMaxCounts]).toEqual([MAX_COUNT, 1]);
    expect([...termMinLengths]).toEqual([2, 2]);
  });
});
