import { InvalidArgumentError as InvalidOption, Option } from "commander";
import { DEFAULT_RESAMPLES, DEFAULT_SEED } from "../defaults.js";

/** For an option that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function list(value: string): string[] {
  return value.split(",").map((item) => item.trim());
}

export function depths(value: string): number[] {
  return list(value).map(wholeNumber(1));
}

export function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidOption(`Expected a whole number of at least ${least}.`);
  };
}

export function points(value: string): number {
  const number = Number(value);
  if (value.trim() !== "" && number >= 0 && number <= 100) return number;
  throw new InvalidOption("Expected points from 0 to 100.");
}

export function positive(value: string): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number) && number > 0) return number;
  throw new InvalidOption("Expected a number above 0.");
}

/** Options of every command that resamples. */
export function resamplingOptions(): Option[] {
  return [
    new Option("--seed <n>", "of the bootstrap and the test").argParser(wholeNumber(0)).default(DEFAULT_SEED),
    new Option("--resamples <n>", "of the bootstrap and the test").argParser(wholeNumber(1)).default(DEFAULT_RESAMPLES),
  ];
}
