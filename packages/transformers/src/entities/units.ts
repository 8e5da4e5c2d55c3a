/** A text cut as BERT's tokenizers cut it before they look for word pieces, with the place of each part. */
import type { Span } from "@trigraph/core";

/**
 * Punctuation, every ASCII sign that is no letter or digit, and Chinese characters stand alone; all else between white
 * space is one unit. So word pieces never cross units, and a text's pieces are those of its units, one after the other.
 */
const PUNCTUATION = String.raw`\p{P}\u0021-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007E`;
const CHINESE = String.raw`\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}`;
const UNIT = new RegExp(String.raw`[${PUNCTUATION}${CHINESE}]|[^\s${PUNCTUATION}${CHINESE}]+`, "gu");

export function splitUnits(text: string): Span[] {
  return Array.from(text.matchAll(UNIT), ({ 0: unit, index }) => ({ start: index, end: index + unit.length }));
}
