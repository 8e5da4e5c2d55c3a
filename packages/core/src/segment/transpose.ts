import { inBlocks, inRows, type Steps } from "../steps.js";

/** Entries of a matrix that are gone through in one step, in their order. */
const BLOCK = 2 ** 16;
/** Those that are put in places all over the memory, at first in pages that the system has yet to give: a hundred times slower. */
const SCATTERED = 2 ** 12;

/** A CSR matrix of indicators: row i holds the columns `indices[indptr[i] … indptr[i + 1])`. */
export interface Csr {
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
}

/** The transpose, and where each of its entries stood in the original. Rows of the result ascend. */
export function* transpose({ indptr, indices }: Csr, columns: number): Steps<Csr & { readonly from: Uint32Array }> {
  const next = new Uint32Array(columns + 1);
  yield* inBlocks(indices.length, BLOCK, (start, end) => {
    for (let i = start; i < end; i++) next[indices[i] + 1]++;
  });
  yield* addUp(next);
  const transposedIndptr = next.slice();
  const rows = new Uint32Array(indices.length);
  const from = new Uint32Array(indices.length);
  yield* inRows(indptr, SCATTERED, (start, end) => {
    for (let row = start; row < end; row++) {
      for (let i = indptr[row]; i < indptr[row + 1]; i++) {
        const place = next[indices[i]]++;
        rows[place] = row;
        from[place] = i;
      }
    }
  });
  return { indptr: transposedIndptr, indices: rows, from };
}

/** From the number of entries in each column, at the next one's place, to where the columns start. */
function addUp(counts: Uint32Array): Steps<void> {
  return inBlocks(counts.length - 1, BLOCK, (start, end) => {
    for (let c = start; c < end; c++) counts[c + 1] += counts[c];
  });
}

/** Frequencies and passage lengths beyond this are stored as this, and BM25 counts them so. */
export const MAX_COUNT = 0xffff;

export interface Postings {
  readonly postingIndptr: Uint32Array;
  readonly postingPassages: Uint32Array;
  readonly postingCounts: Uint16Array;
  readonly postingLengths: Uint16Array;
  readonly termMaxCounts: Uint16Array;
  readonly termMinLengths: Uint16Array;
}

/** Term postings of passages given as runs of term ordinals with repetitions. */
export function* postingsOf(tokenIndptr: Uint32Array, tokens: Uint32Array, terms: number): Steps<Postings> {
  // The last passage that held a term (counted from 1), so that a repetition is told from a new posting.
  const last = new Uint32Array(terms);
  const next = new Uint32Array(terms + 1);
  yield* inRows(tokenIndptr, SCATTERED, (start, end) => {
    for (let p = start; p < end; p++) {
      for (let i = tokenIndptr[p]; i < tokenIndptr[p + 1]; i++) {
        const term = tokens[i];
        if (last[term] === p + 1) continue;
        last[term] = p + 1;
        next[term + 1]++;
      }
    }
  });
  yield* addUp(next);
  const postingIndptr = next.slice();
  // Clearing memory that was used before takes milliseconds for each.
  yield;
  const postingPassages = new Uint32Array(postingIndptr[terms]);
  yield;
  const postingCounts = new Uint16Array(postingIndptr[terms]);
  yield;
  const postingLengths = new Uint16Array(postingIndptr[terms]);
  yield;
  const termMaxCounts = new Uint16Array(terms);
  const termMinLengths = new Uint16Array(terms).fill(MAX_COUNT);
  last.fill(0);
  yield* inRows(tokenIndptr, SCATTERED, (start, end) => {
    for (let p = start; p < end; p++) {
      const length = Math.min(tokenIndptr[p + 1] - tokenIndptr[p], MAX_COUNT);
      for (let i = tokenIndptr[p]; i < tokenIndptr[p + 1]; i++) {
        const term = tokens[i];
        if (last[term] !== p + 1) {
          last[term] = p + 1;
          postingLengths[next[term]] = length;
          postingPassages[next[term]++] = p;
          if (length < termMinLengths[term]) termMinLengths[term] = length;
        }
        const place = next[term] - 1;
        if (postingCounts[place] < MAX_COUNT) postingCounts[place]++;
        if (postingCounts[place] > termMaxCounts[term]) termMaxCounts[term] = postingCounts[place];
      }
    }
  });
  return { postingIndptr, postingPassages, postingCounts, postingLengths, termMaxCounts, termMinLengths };
}
