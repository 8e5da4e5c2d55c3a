import type { z } from "zod";
import { EvaluationError, messageOf } from "../errors.js";

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
  const rows: SourcedRow<Row>[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const source = `${file}:${i + 1}`;
    const result = schema.safeParse(parseJson(line, source, expected));
    if (!result.success) throw rowError(source, expected, issueOf(result.error));
    rows.push({ source, row: result.data });
  }
  if (rows.length === 0) throw new EvaluationError("DATA", `${file}: expected at least one row, found none.`);
  return rows;
}

function parseJson(line: string, source: string, expected: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw rowError(source, expected, messageOf(error));
  }
}

/** What is wrong first, and where. */
export function issueOf(error: z.ZodError): string {
  const [{ path, message }] = error.issues;
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

function rowError(source: string, expected: string, found: string): EvaluationError {
  return new EvaluationError("DATA", `${source}: expected ${expected}. ${found}.`);
}
