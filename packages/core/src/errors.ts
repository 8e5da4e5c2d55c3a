/** What went wrong, in one word that a program can test. */
export type TriGraphErrorCode =
  | "INVALID_ARGUMENT"
  | "NOT_FOUND"
  | "CLOSED"
  | "EMBEDDING"
  | "CORRUPT_INDEX"
  | "INDEX_MISMATCH"
  | "LOCKED"
  | "CONFLICT"
  | "STORAGE"
  | "MODEL"
  | "WORKER"
  | "MISSING_PACKAGE";

/** Base of every error this library throws, except the reason of an `AbortSignal`, which is thrown as it is. */
export class TriGraphError extends Error {
  readonly code: TriGraphErrorCode;

  constructor(code: TriGraphErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    // A literal: minifiers rename classes.
    this.name = "TriGraphError";
    this.code = code;
  }
}

/** An argument is not what the function documents. Nothing was changed. */
export class InvalidArgumentError extends TriGraphError {
  constructor(message: string, options?: ErrorOptions) {
    super("INVALID_ARGUMENT", message, options);
    this.name = "InvalidArgumentError";
  }
}

/** A method was called after `close()`. */
export class ClosedError extends TriGraphError {
  constructor(message: string) {
    super("CLOSED", message);
    this.name = "ClosedError";
  }
}

/** The embedder threw or returned vectors that cannot be used. Nothing was changed. */
export class EmbeddingError extends TriGraphError {
  constructor(message: string, options?: ErrorOptions) {
    super("EMBEDDING", message, options);
    this.name = "EmbeddingError";
  }
}

/** A thread failed: its analyzer threw, it could not begin, or it ended. Nothing was changed. */
export class WorkerError extends TriGraphError {
  constructor(message: string, options?: ErrorOptions) {
    super("WORKER", message, options);
  }
}

/** Stored data cannot be trusted or used. `code` says how. */
export class IndexError extends TriGraphError {
  declare readonly code: "NOT_FOUND" | "CORRUPT_INDEX" | "INDEX_MISMATCH" | "LOCKED" | "CONFLICT" | "STORAGE";

  constructor(code: IndexError["code"], message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.name = "IndexError";
  }
}
