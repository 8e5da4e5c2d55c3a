/** Something that whoever runs the demo can put right, such as an option that does not fit another. Printed without a stack. */
export class DemoError extends Error {
  override readonly name: string = "DemoError";
}

/** The command line is not as `--help` says. */
export class UsageError extends DemoError {
  override readonly name = "UsageError";
}
