import { z } from "zod";
import { DemoError } from "./errors.js";

/**
 * The rows of a text in JSON Lines; blank lines are passed over.
 *
 * @param file names the text in errors
 * @throws DemoError that names the file and the line of the first row which is not as the schema says
 */
export function parseJsonLines<Row>(
  text: string,
  file: string,
  schema: z.ZodType<Row>,
  expected: string,
): { line: number; row: Row }[] {
  const rows: { line: number; row: Row }[] = [];
  for (const [i, source] of text.split("\n").entries()) {
    if (source.trim() === "") continue;
    const line = i + 1;
    const result = schema.safeParse(parseJson(source, `${file}:${line}`, expected));
    if (!result.success) {
      const [{ path, message }] = result.error.issues;
      const where = path.length === 0 ? "" : `${path.join(".")}: `;
      throw new DemoError(`${file}:${line}: expected ${expected}. ${where}${message}`);
    }
    rows.push({ line, row: result.data });
  }
  return rows;
}

function parseJson(source: string, where: string, expected: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new DemoError(`${where}: expected ${expected}. ${error instanceof Error ? error.message : String(error)}`);
  }
}
