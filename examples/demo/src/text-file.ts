import { readFile } from "node:fs/promises";
import { DemoError } from "./errors.js";

/** The text of a file in UTF-8, without a byte order mark. */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DemoError(`${file}: expected text in UTF-8`);
  }
}
