/** A stretch of a text in which the same marks hold. */
export interface Piece<Mark> {
  readonly text: string;
  /** The mark that covers it, or undefined. */
  readonly mark: Mark | undefined;
  /** Whether it lies in the highlighted range. */
  readonly highlighted: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a text at the ends of its marks and of one highlighted range, so that neither need lie within the other. Pieces
 * in order make the text.
 *
 * @param marks in text order, not overlapping
 */
export function piecesOf<Mark extends Range>(
  text: string,
  marks: readonly Mark[],
  highlight: Range | null,
): Piece<Mark>[] {
  const ends = [0, text.length, ...marks.flatMap(({ start, end }) => [start, end])];
  if (highlight !== null) ends.push(highlight.start, highlight.end);
  const cuts = [...new Set(ends.map((end) => Math.min(Math.max(end, 0), text.length)))].sort((a, b) => a - b);
  const pieces: Piece<Mark>[] = [];
  let next = 0;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const start = cuts[i];
    while (next < marks.length && marks[next].end <= start) next++;
    const mark = next < marks.length && marks[next].start <= start ? marks[next] : undefined;
    const highlighted = highlight !== null && highlight.start <= start && start < highlight.end;
    pieces.push({ text: text.slice(start, cuts[i + 1]), mark, highlighted });
  }
  return pieces;
}
