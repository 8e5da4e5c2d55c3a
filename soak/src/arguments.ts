import { parseArgs } from "node:util";

export const SOAKS = ["kills", "power", "faults", "fuzz", "readers"] as const;

export type SoakName = (typeof SOAKS)[number];

/** What each soak is told, with what it does when it is not: about ten minutes each on a core of its own. */
const DEFAULTS = {
  kills: { seed: 1, kills: 1000 },
  power: { seed: 1, histories: 200, steps: 10, samples: 4 },
  faults: { seed: 1, histories: 30, steps: 6 },
  fuzz: { seed: 1, first: 0, count: 100_000 },
  readers: { seed: 1, seconds: 300, threads: 2, processes: 2 },
} as const satisfies Record<SoakName, Record<string, number>>;

export const USAGE = `usage: npm run soak -- SOAK [options]

kills     --kills N                          SIGKILL a writer, again and again
power     --histories N --steps N --samples N  power fails amid every operation
faults    --histories N --steps N            every operation fails once, in every way
fuzz      --first N --count N                mutate the files of an index
readers   --seconds N --threads N --processes N  read while another writes

--seed N  repeats a run. Defaults: ${JSON.stringify(DEFAULTS)}`;

export class UsageError extends Error {}

export type Options<S extends SoakName> = { readonly [K in keyof (typeof DEFAULTS)[S]]: number };

/** @returns undefined when help is asked for */
export function parseArguments(
  args: readonly string[],
): { soak: SoakName; values: Record<string, number> } | undefined {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help") return undefined;
  const soak = SOAKS.find((other) => other === name);
  if (soak === undefined) throw new UsageError(`expected one of ${SOAKS.join(", ")}, got "${name}"`);
  const defaults: Record<string, number> = DEFAULTS[soak];
  const options = Object.fromEntries(Object.keys(defaults).map((key) => [key, { type: "string" as const }]));
  let given: Record<string, string | boolean | undefined>;
  try {
    given = parseArgs({ args: rest, options }).values;
  } catch (error) {
    throw new UsageError(`${soak}: ${(error as Error).message}`);
  }
  const values = { ...defaults };
  for (const [key, text] of Object.entries(given)) {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 0) throw new UsageError(`--${key}: expected a whole number, got "${text}"`);
    values[key] = value;
  }
  return { soak, values };
}
