/** The command line is not as `--help` says. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
