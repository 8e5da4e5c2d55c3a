/** Something the caller of the benchmarks can put right: an argument, or a data folder. Printed without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
