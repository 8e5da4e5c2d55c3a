/** Kinds of values in the schemas of options, whose errors say what was expected and what was given. */
import * as z from "zod/mini";
import { show } from "./validate.js";

export function number(expected: string, isInRange: (value: number) => boolean) {
  return z.custom<number>((value) => typeof value === "number" && isInRange(value), {
    error: ({ input }) => `expected ${expected}, got ${show(input)}`,
  });
}

export function oneOf<const T extends readonly string[]>(names: T) {
  return z.enum(names, { error: ({ input }) => `expected one of ${names.join(", ")}, got ${show(input)}` });
}

export const finite = number("a finite number", Number.isFinite);
export const positive = number("a finite number greater than 0", (x) => x > 0 && x < Infinity);
export const count = number("an integer of at least 1", (x) => Number.isSafeInteger(x) && x >= 1);
export const notNegative = number("a finite number of at least 0", (x) => x >= 0 && x < Infinity);
