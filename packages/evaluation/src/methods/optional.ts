import { EvaluationError, messageOf } from "../errors.js";

/**
 * Loads a package that need not be installed.
 *
 * @param packages what to install for it
 * @throws EvaluationError `MISSING_PACKAGE` when one is not installed, or does not load
 */
export async function loadOptional<T>(
  method: string,
  packages: readonly string[],
  load: () => T | Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as { code?: unknown };
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const advice = isMissing
      ? `expected packages that are not installed. Run: npm install ${packages.join(" ")}`
      : `expected ${packages.join(", ")} to load, and one did not`;
    throw new EvaluationError("MISSING_PACKAGE", `method ${method}: ${advice} (${messageOf(error)})`, {
      cause: error,
    });
  }
}
