/**
 * Dot products of a query with many rows. Those of whole numbers are the same to the last bit however they are summed, so
 * the vector instructions of WebAssembly may do it where there are any; elsewhere a plain loop does, some six times slower.
 */
import { KERNEL } from "./kernel.wasm.js";

/** Rows that are multiplied in one call: 200 kB of codes at 384 dimensions, half of a core's second cache. */
export const BLOCK = 512;

/** Numbers that the kernel takes at once. */
const LANES = 16;

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 65_536;

/** Of a query with the row that begins at `start`. Four sums, so that an addition need not wait for the one before it. */
export function floatProduct(query: Float32Array, rows: Float32Array, start: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = query.length - (query.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += query[i] * rows[start + i];
    b += query[i + 1] * rows[start + i + 1];
    c += query[i + 2] * rows[start + i + 2];
    d += query[i + 3] * rows[start + i + 3];
  }
  for (let i = whole; i < query.length; i++) a += query[i] * rows[start + i];
  return a + b + (c + d);
}

/** The same of whole numbers. A loop of its own: one that serves several types of arrays is slower for each. */
export function codeProduct(query: Int16Array, rows: Int8Array, start: number): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += query[i] * rows[start + i];
  return sum;
}

/**
 * Of a query with `count` rows from `first` on, at most `BLOCK`. No sum may leave 32 bits. The result is overwritten by the
 * next call.
 */
export function dotProducts(query: Int16Array, rows: Int8Array, first: number, count: number): Int32Array {
  kernel ??= wasmKernel() ?? plainKernel();
  return kernel(query, rows, first, count);
}

type Kernel = typeof dotProducts;

/** Made for the first question that needs it: not every index has vectors. */
let kernel: Kernel | undefined;

/** For all platforms. */
export function plainKernel(): Kernel {
  const products = new Int32Array(BLOCK);
  return (query, rows, first, count) => {
    for (let i = 0; i < count; i++) products[i] = codeProduct(query, rows, (first + i) * query.length);
    return products;
  };
}

interface KernelExports {
  readonly memory: WebAssembly.Memory;
  /** Addresses in bytes; `size` is the numbers of a row, `query` is padded with zeros to a multiple of 16. */
  readonly dots: (query: number, rows: number, count: number, size: number, products: number) => void;
}

function instantiate(): KernelExports | undefined {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(KERNEL)).exports as unknown as KernelExports;
  } catch {
    return undefined;
  }
}

/**
 * Undefined where WebAssembly or its vectors are missing, or where code must not be compiled, as at the edge. Rows are
 * copied into the kernel's memory block by block: that is reading them once, which has to be done anyway.
 */
export function wasmKernel(): Kernel | undefined {
  const exports = instantiate();
  if (exports === undefined) return undefined;
  const { memory, dots } = exports;
  return (query, rows, first, count) => {
    const size = query.length;
    const padded = Math.ceil(size / LANES) * LANES;
    const queryAt = BLOCK * Int32Array.BYTES_PER_ELEMENT;
    const rowsAt = queryAt + padded * Int16Array.BYTES_PER_ELEMENT;
    // The last row is read in whole lanes as well.
    const end = rowsAt + count * size + LANES;
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));
    const queryCodes = new Int16Array(memory.buffer, queryAt, padded);
    queryCodes.fill(0, size);
    queryCodes.set(query);
    new Int8Array(memory.buffer, rowsAt).set(rows.subarray(first * size, (first + count) * size));
    dots(queryAt, rowsAt, count, size, 0);
    return new Int32Array(memory.buffer, 0, BLOCK);
  };
}
