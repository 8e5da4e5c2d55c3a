/** Checks of what only this package knows; all else the core checks. */
import { InvalidArgumentError } from "@trigraph/core";

/** @throws InvalidArgumentError when the options hold a name that is not among these: mistyped, or of another method */
export function checkNames(method: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new InvalidArgumentError(`${method}: expected options to be an object, got ${show(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new InvalidArgumentError(`${method}: expected options of ${names.join(", ")}, got ${show(unknown)}.`);
}

/** @throws InvalidArgumentError unless the value is absent or an integer of at least `least` */
export function checkInteger(where: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new InvalidArgumentError(`${where}: expected an integer of at least ${least}, got ${show(value)}.`);
}

/** A value in an error message: what it is, shortened. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}
