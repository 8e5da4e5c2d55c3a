import { MAX_CODE } from "../segment/packed-vectors.js";

const MAX_QUERY_CODE = 32_767;
const MAX_SUM = 2 ** 31 - 1;

/** A question's vector, in full precision and in whole numbers. */
export class VectorQuery {
  /** Of length 1 or 0. */
  readonly vector: Float32Array;
  /** In up to 16 bits: as many as let no product with eight-bit codes leave 32. */
  readonly codes: Int16Array;
  readonly scale: number;

  /** @param vector of length 1, or 0 */
  constructor(vector: Float32Array) {
    this.vector = vector;
    this.codes = new Int16Array(vector.length);
    const most = Math.min(MAX_QUERY_CODE, Math.floor(MAX_SUM / (MAX_CODE * vector.length)));
    const greatest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    let squares = 0;
    if (greatest > 0) {
      for (let i = 0; i < vector.length; i++) {
        this.codes[i] = Math.round((vector[i] / greatest) * most);
        squares += this.codes[i] * this.codes[i];
      }
    }
    this.scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
}
