import { IndexError } from "../errors.js";

/** What the operation gives; whatever it throws as `IndexError` STORAGE. @param where names the class and method in errors */
export async function attempt<T>(where: string, path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new IndexError("STORAGE", `${where}: failed on ${JSON.stringify(path)}: ${reason}`, { cause: error });
  }
}

/** The system's name of an error, as "ENOENT". */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
