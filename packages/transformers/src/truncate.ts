/** Cutting what is longer than a model can read. */
import type { Encoding, Model } from "./model.js";

/**
 * A text's pieces, at most `limit` of them. The closing special pieces stay, as sentence-transformers keeps them (the
 * library itself would cut them off).
 */
export function encodeText(model: Model, text: string, limit: number): Encoding {
  const encoding = model.encode(text);
  const excess = encoding.ids.length - limit;
  if (excess <= 0) return encoding;
  const end = encoding.ids.length - closingPieces(encoding.ids, model.pieces(text));
  return without(encoding, [[Math.max(0, end - excess), end]]);
}

/**
 * The pieces of two texts, at most `limit` of them: the longer one is cut until both are of a length, then both, as
 * sentence-transformers does. A question keeps all of its words unless it is longer than the passage.
 */
export function encodePair(model: Model, first: string, second: string, limit: number): Encoding {
  const encoding = model.encode(first, second);
  let excess = encoding.ids.length - limit;
  if (excess <= 0) return encoding;
  const pieces = { first: model.pieces(first), second: model.pieces(second) };
  let [a, b] = [pieces.first.length, pieces.second.length];
  const end = {
    first: openingPieces(encoding.ids, pieces.first) + a,
    second: encoding.ids.length - closingPieces(encoding.ids, pieces.second),
  };
  const starts = { first: end.first - a, second: end.second - b };
  while (excess-- > 0 && a + b > 0) {
    if (a > b) a--;
    else b--;
  }
  return without(encoding, [
    [starts.first + a, end.first],
    [starts.second + b, end.second],
  ]);
}

/** Special pieces before a text's own. */
function openingPieces(ids: readonly number[], own: readonly number[]): number {
  let opening = 0;
  while (opening + own.length < ids.length && !own.every((id, i) => ids[opening + i] === id)) opening++;
  return opening;
}

/** Special pieces behind a text's own. */
function closingPieces(ids: readonly number[], own: readonly number[]): number {
  return openingPieces([...ids].reverse(), [...own].reverse());
}

function without({ ids, types }: Encoding, ranges: readonly (readonly [start: number, end: number])[]): Encoding {
  const isKept = (_: number, i: number) => !ranges.some(([start, end]) => i >= start && i < end);
  return { ids: ids.filter(isKept), types: types?.filter(isKept) };
}
