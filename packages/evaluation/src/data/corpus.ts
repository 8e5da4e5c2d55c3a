import type { Passage } from "@trigraph/core";
import { z } from "zod";
import { EvaluationError } from "../errors.js";
import { parseJsonLines, type SourcedRow } from "./json-lines.js";

/** A text in JSON Lines and what it is called in errors and reports. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export const ID = z.union([z.string().min(1), z.number().transform(String)]);

/** A field of text that may be left out; null and "" say nothing either. */
export const TEXT = z
  .string()
  .nullish()
  .transform((text) => text || undefined);

const PASSAGE_ROW = z
  .object({
    id: ID,
    title: TEXT,
    text: z.string(),
    metadata: z.record(z.string(), z.json()).optional(),
  })
  .transform(({ id, title, text, metadata }): Passage => ({
    id,
    text,
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
  }));

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
  const rows = corpora.flatMap(({ name, text }) =>
    parseJsonLines(text, name, PASSAGE_ROW, "a passage {id, title?, text, metadata?}"),
  );
  checkIds(rows);
  return rows.map(({ row }) => (titles ? row : withoutTitle(row)));
}

/** @throws EvaluationError `DATA` when two rows have the same id */
export function checkIds(rows: readonly SourcedRow<{ readonly id: string }>[]): void {
  const first = new Map<string, string>();
  for (const { source, row } of rows) {
    const before = first.get(row.id);
    if (before !== undefined) {
      throw new EvaluationError("DATA", `${source}: expected an id of its own, got "${row.id}", as in ${before}.`);
    }
    first.set(row.id, source);
  }
}

function withoutTitle({ id, text, metadata }: Passage): Passage {
  return { id, text, ...(metadata === undefined ? {} : { metadata }) };
}
