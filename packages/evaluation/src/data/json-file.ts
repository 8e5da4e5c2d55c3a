import { readFile } from "node:fs/promises";
import { issueOf } from "@trigraph/console/json-lines";
import type { z } from "zod";
import { EvaluationError, messageOf } from "../errors.js";

/**
 * A file of JSON.
 *
 * @param expected the form of its content, for errors
 * @throws EvaluationError `DATA` when it cannot be read or is not as the schema says
 */
export async function readJson<T>(
  file: string,
  schema: z.ZodType<T>,
  expected: string,
  signal?: AbortSignal,
): Promise<T> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, { encoding: "utf8", signal }));
  } catch (error) {
    signal?.throwIfAborted();
    throw new EvaluationError("DATA", `${file}: cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new EvaluationError("DATA", `${file}: expected ${expected}. ${issueOf(parsed.error)}.`);
}
