/** What a command talks to. */
export interface Terminal {
  /** Results. */
  readonly out: NodeJS.WritableStream;
  /** Progress and errors. */
  readonly err: NodeJS.WritableStream;
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal;
}

/** How the command ends. */
export const EXIT = {
  done: 0,
  /** The data, a method or a model failed; the message says what. */
  failed: 1,
  /** The command line is not as the help says. */
  usage: 2,
  /** `compare --max-loss`: a method has lost more. */
  lost: 3,
  /** As shells have it for SIGINT. */
  interrupted: 130,
} as const;
