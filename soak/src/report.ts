/** Where a soak tells how far it is. */
export interface Report {
  readonly progress: (line: string) => void;
}

export const SILENT: Report = { progress: () => undefined };

/** The failure of a soak: what failed, and the seed and place that repeat it. */
export class SoakError extends Error {
  constructor(where: string, cause: unknown) {
    super(`${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "SoakError";
  }
}

export function fail(where: string, cause: unknown): SoakError {
  return cause instanceof SoakError ? cause : new SoakError(where, cause);
}
