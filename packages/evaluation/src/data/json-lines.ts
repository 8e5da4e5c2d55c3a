import { parseRows, ReadError } from "@trigraph/console/json-lines";
import type { z } from "zod";
import { EvaluationError } from "../errors.js";

/** A row and where it stands: `corpus.jsonl:12`. */
export interface SourcedRow<Row> {
  readonly source: string;
  readonly row: Row;
}

/**
 * The rows of a text in JSON Lines; blank lines are passed over.
 *
 * @param file names the text in errors
 * @param expected the form of a row, for errors
 * @throws EvaluationError `DATA` that names file and line of the first row which is not as the schema says
 */
export function parseJsonLines<Row>(
  text: string,
  file: string,
  schema: z.ZodType<Row>,
  expected: string,
): SourcedRow<Row>[] {
  const rows = orDataError(() => parseRows(text, file, schema, expected));
  if (rows.length === 0) throw new EvaluationError("DATA", `${file}: expected at least one row, found none.`);
  return rows;
}

/** Runs what reads data. @throws EvaluationError `DATA` in place of a ReadError */
export function orDataError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    throw new EvaluationError("DATA", error.message, { cause: error });
  }
}
