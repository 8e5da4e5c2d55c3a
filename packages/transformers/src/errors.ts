import { TriGraphError } from "@trigraph/core";

/**
 * A local model cannot be used.
 *
 * - `MISSING_PACKAGE`: `@xenova/transformers` is not installed, or does not load; the message says how to install it.
 * - `MODEL`: the model is not where it was looked for, is not of the kind that is needed, or failed on a text.
 */
export class ModelError extends TriGraphError {
  declare readonly code: "MISSING_PACKAGE" | "MODEL";

  constructor(code: ModelError["code"], message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = "ModelError";
  }
}

/** What an unknown error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
