import { type PassageFilter, type JsonValue, toPredicate } from "@trigraph/core";
import { UsageError } from "./errors.js";

/**
 * A filter of `key=value` conditions, all of which must hold. A value is compared as text, and as JSON where it is
 * such: `year=1961` finds 1961 and "1961".
 *
 * @throws UsageError for a condition of another form
 */
export function filterOf(conditions: readonly string[]): PassageFilter | undefined {
  if (conditions.length === 0) return undefined;
  const predicates = conditions.map((condition) => {
    const equals = condition.indexOf("=");
    if (equals <= 0) {
      throw new UsageError(`--filter: expected KEY=VALUE, got ${JSON.stringify(condition)}.`);
    }
    const [key, text] = [condition.slice(0, equals), condition.slice(equals + 1)];
    return valuesOf(text).map((value) => toPredicate("--filter", Object.fromEntries([[key, value]]))!);
  });
  return (passage) => predicates.every((any) => any.some((isEqual) => isEqual(passage)));
}

function valuesOf(text: string): JsonValue[] {
  try {
    return [text, JSON.parse(text) as JsonValue];
  } catch {
    // No JSON: then it is only the text that it is.
    return [text];
  }
}
