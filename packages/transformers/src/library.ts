/** `@xenova/transformers`, loaded when it is first needed: it is large, and an optional peer. */
import { messageOf, ModelError } from "./errors.js";

export type Library = typeof import("@xenova/transformers");

/** @throws ModelError `MISSING_PACKAGE` */
export async function loadLibrary(method: string): Promise<Library> {
  try {
    return await import("@xenova/transformers");
  } catch (cause) {
    throw new ModelError(
      "MISSING_PACKAGE",
      `${method}: expected the package @xenova/transformers to load, got: ${messageOf(cause)}. ` +
        'Add "overrides": { "sharp": "^0.34.0" } to your package.json (pnpm: overrides in pnpm-workspace.yaml), so that ' +
        "nothing is compiled or downloaded on the way, then npm install @xenova/transformers@^2.17.2.",
      { cause },
    );
  }
}
