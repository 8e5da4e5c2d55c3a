/** Checks of what only this package knows; all else the core checks. */
import { InvalidArgumentError, show } from "@trigraph/core";

/** @throws InvalidArgumentError unless the value is absent or an integer of at least `least` */
export function checkInteger(where: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new InvalidArgumentError(`${where}: expected an integer of at least ${least}, got ${show(value)}.`);
}
