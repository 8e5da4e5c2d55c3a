/** What a pool and its threads say to each other: a request at a time is answered, in the order they came. */
import type { TextArrays, TitledText } from "../segment/text-arrays.js";

export interface AnalyzeRequest {
  readonly texts: readonly TitledText[];
  /** Id of the analyzer that must read them. */
  readonly analyzer: string;
}

export type AnalyzeAnswer =
  /** The arrays' memory moves to the pool: nothing is copied. */
  | { readonly kind: "arrays"; readonly arrays: TextArrays }
  | { readonly kind: "other-analyzer"; readonly analyzer: string }
  /** In words, since an error may hold what cannot be sent. */
  | {
      readonly kind: "failure";
      readonly analyzer: string;
      readonly message: string;
      readonly stack: string | undefined;
    };
