import { EXPECTED_PASSAGE, Ids, PASSAGE_ROW } from "@trigraph/console/json-lines";
import type { Passage } from "@trigraph/core";
import { orDataError, parseJsonLines, type SourcedRow } from "./json-lines.js";

/** A text in JSON Lines and what it is called in errors and reports. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * The passages of some corpora in JSON Lines, rows `{id, title?, text, metadata?}`, in the order given.
 *
 * @throws EvaluationError `DATA` with file and line when a row has another form, or an id of another row
 */
export function parseCorpora(
  corpora: readonly NamedText[],
  {
    titles = true,
  }: {
    /** False drops the field `title` and leaves the text as it is. Default true. */
    readonly titles?: boolean;
  } = {},
): Passage[] {
  const rows = corpora.flatMap(({ name, text }) => parseJsonLines(text, name, PASSAGE_ROW, EXPECTED_PASSAGE));
  checkIds(rows);
  return rows.map(({ row }) => (titles ? row : withoutTitle(row)));
}

/** @throws EvaluationError `DATA` when two rows have the same id */
export function checkIds(rows: readonly SourcedRow<{ readonly id: string }>[]): void {
  const ids = new Ids();
  orDataError(() => rows.forEach(({ source, row }) => ids.add(row.id, source)));
}

function withoutTitle({ id, text, metadata }: Passage): Passage {
  return { id, text, ...(metadata === undefined ? {} : { metadata }) };
}
