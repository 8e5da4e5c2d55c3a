import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "models");

/** The tiny models of `models/make.py`, offline. */
export const TINY = { localModelPath: join(folder, "tiny"), allowRemoteModels: false } as const;
export const ENCODER = { model: "encoder", ...TINY } as const;
export const ENTITIES = { model: "entities", ...TINY } as const;
export const PAIRS = { model: "pairs", ...TINY } as const;

interface Goldens {
  readonly ids: { readonly text: string; readonly ids: number[] }[];
  readonly pairIds: { readonly pair: [string, string]; readonly ids: number[]; readonly types: number[] }[];
  readonly vectors: { readonly text: string; readonly quantized: number[]; readonly float: number[] }[];
  readonly labels: { readonly text: string; readonly pieces: [piece: string, label: string][] }[];
  readonly pairs: { readonly pair: [string, string]; readonly quantized: number; readonly float: number }[];
}

/** What another tokenizer and another ONNX Runtime make of some texts. */
export const goldens = JSON.parse(readFileSync(join(folder, "goldens.json"), "utf8")) as Goldens;

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i] * b[i];
    ofA += a[i] ** 2;
    ofB += b[i] ** 2;
  }
  return product / Math.sqrt(ofA * ofB);
}
