/** What a command talks to. */
export interface Terminal {
  readonly in: AsyncIterable<Uint8Array>;
  /** Results, and nothing else. */
  readonly out: NodeJS.WritableStream;
  /** Progress, notes and errors. */
  readonly err: NodeJS.WritableStream;
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal;
}

/** How the command ends. */
export const EXIT = {
  done: 0,
  /** It ran, and there is something to see: `check` has findings, `search` found nothing, `delete` missed an id. */
  findings: 1,
  /** The command line, or a file given, is not as the help says. */
  usage: 2,
  /** The index, an embedder or the disk failed. */
  failed: 3,
  /** As shells have it for SIGINT. */
  interrupted: 130,
} as const;
