import type { Metadata, Passage } from "@trigraph/core";
import { z } from "zod";

/** A file, or a row of one, is not as expected. The message names file and line. */
export class ReadError extends Error {
  override readonly name = "ReadError";
}

/** A row and where it stands: `corpus.jsonl:12`. */
export interface SourcedRow<Row> {
  readonly source: string;
  readonly row: Row;
}

/** An id; numbers are read as their digits. */
export const ID = z.union([z.string().min(1), z.number().transform(String)]);

/** A field of text that may be left out; null and "" say nothing either. */
export const TEXT = z
  .string()
  .nullish()
  .transform((text) => text || undefined);

const PASSAGE_FIELDS = { id: ID, title: TEXT, text: z.string(), metadata: z.record(z.string(), z.json()).optional() };

/** A row of a corpus: `{id, title?, text, metadata?}`. Other fields are passed over. */
export const PASSAGE_ROW = z.object(PASSAGE_FIELDS).transform(toPassage);

/** A row of what is to be indexed: the same, but not blank, which an index would refuse, and with a ready `vector` if need be. */
export const INDEXED_ROW = z
  .object({
    ...PASSAGE_FIELDS,
    text: z.string().refine((text) => text.trim() !== "", "Expected a text that is not blank"),
    vector: z.array(z.number()).optional(),
  })
  .transform(({ vector, ...row }): Passage => (vector === undefined ? toPassage(row) : { ...toPassage(row), vector }));

export const EXPECTED_PASSAGE = "a passage {id, title?, text, metadata?}";

/**
 * The rows of a text in JSON Lines; blank lines are passed over.
 *
 * @param file names the text in errors
 * @param expected the form of a row, for errors
 * @throws ReadError that names file and line of the first row which is not as the schema says
 */
export function parseRows<Row>(
  text: string,
  file: string,
  schema: z.ZodType<Row>,
  expected: string,
): SourcedRow<Row>[] {
  const rows: SourcedRow<Row>[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const source = `${file}:${i + 1}`;
    rows.push({ source, row: parseRow(line, source, schema, expected) });
  }
  return rows;
}

/** One row. @throws ReadError, as `parseRows` */
export function parseRow<Row>(line: string, source: string, schema: z.ZodType<Row>, expected: string): Row {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new ReadError(`${source}: expected ${expected}. ${(error as Error).message}.`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ReadError(`${source}: expected ${expected}. ${issueOf(result.error)}.`);
}

/** What is wrong first, and where. */
export function issueOf(error: z.ZodError): string {
  const [{ path, message }] = error.issues;
  return path.length === 0 ? message : `${path.join(".")}: ${message}`;
}

/** Where each id was first read, so that a second one is noticed. */
export class Ids {
  readonly #sources = new Map<string, string>();

  /** @throws ReadError when the id was read before */
  add(id: string, source: string): void {
    const before = this.#sources.get(id);
    if (before !== undefined) {
      throw new ReadError(`${source}: expected an id of its own, got ${JSON.stringify(id)}, as in ${before}.`);
    }
    this.#sources.set(id, source);
  }

  has(id: string): boolean {
    return this.#sources.has(id);
  }
}

function toPassage(row: { id: string; title?: string | undefined; text: string; metadata?: Metadata | undefined }) {
  const { id, title, text, metadata } = row;
  const passage: Passage = {
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  return passage;
}
