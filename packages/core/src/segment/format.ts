import { IndexError } from "../errors.js";

/**
 * The reader of a version of a format, from a table of those that this version of the library has.
 *
 * @param where the caller, and the file that has the version, in errors
 * @throws IndexError INDEX_MISMATCH for a version without a reader
 */
export function readerOf<R>(readers: ReadonlyMap<number, R>, version: number, where: string): R {
  const reader = readers.get(version);
  if (reader !== undefined) return reader;
  const known = [...readers.keys()];
  const advice = version > Math.max(...known) ? "update the library" : "open it with the library that wrote it";
  throw new IndexError(
    "INDEX_MISMATCH",
    `${where} has format ${version}, and this version of the library reads format ${known.join(", ")}: ${advice}, or build the index again with this one.`,
  );
}
