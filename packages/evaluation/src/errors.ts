/** What went wrong, in one word that a program can test. */
export type EvaluationErrorCode = "DATA" | "MISSING_PACKAGE" | "RETRIEVER" | "CHAT" | "REPORT" | "TRAINING";

/**
 * What this package throws, beside the core's errors (`InvalidArgumentError` for wrong arguments) and the reason of an
 * `AbortSignal`.
 *
 * - `DATA`: a corpus, a question file or a module named by an option cannot be used; the message names file and line.
 * - `MISSING_PACKAGE`: a method's package is not installed, or does not load; the message names it.
 * - `RETRIEVER`: a retriever failed, or returned something else than ids of the corpus.
 * - `CHAT`: a chat model failed.
 * - `REPORT`: a report cannot be read or compared.
 * - `TRAINING`: there is too little to learn from; the message says what is missing.
 */
export class EvaluationError extends Error {
  override readonly name = "EvaluationError";
  readonly code: EvaluationErrorCode;

  constructor(code: EvaluationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What an unknown error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
