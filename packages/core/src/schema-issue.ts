import type { core } from "zod/mini";

/** The first thing wrong with data that was checked against a schema, and where, in one line. */
export function firstIssue(error: core.$ZodError): string {
  const [issue] = error.issues;
  const where = issue.path.length === 0 ? "" : `at ${issue.path.join(".")}: `;
  return where + messageOf(issue);
}

export function messageOf(issue: core.$ZodIssue): string {
  return issue.code === "unrecognized_keys" ? `unknown field ${issue.keys.join(", ")}` : issue.message;
}
