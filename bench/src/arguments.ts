import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";
import { parseCorpusSize, type CorpusSize } from "./corpora.js";

export const USAGE = `usage: npm run bench -- [what] [options]

what    quality   recall on the real data sets, of trigraph and of BM25
        speed     time and space at several sizes
        push      local push against the exact solver
        vectors   finding the nearest vectors, and with --models making them
        all       the four of them (default)

--data FOLDER      the real data; bench/src/data-sets.ts describes it
--sizes LIST       for speed: 6k and 30k are real passages (2Wiki, mix), any other number is generated, so is
                   one written as generated:30k. Default 6k,30k,generated:30k,100k,1m, or without --data
                   generated:30k,100k
--quick            few questions and small sizes, for a first look
--seed N           of the generated corpora. Default 1
--without-titles   for quality: drop the titles of all passages
--ablations        for quality: also without stage 1, without stage 2, and the paper's settings
--failures N       for quality: show N failing questions of each column and method
--runs N           for speed: how often to build small indexes and to ask all questions. Default 3
--threads N        for speed: also index with N worker threads
--models FOLDER    for vectors: holds Xenova/all-MiniLM-L6-v2, and embeds passages of 2Wiki with it
--out FILE         write the results as JSON
--markdown         print the tables as Markdown`;

export const PARTS = ["quality", "speed", "push", "vectors"] as const;

export type Part = (typeof PARTS)[number];

export interface Arguments {
  readonly parts: readonly Part[];
  readonly data: string | undefined;
  readonly sizes: readonly CorpusSize[];
  readonly quick: boolean;
  readonly seed: number;
  readonly withoutTitles: boolean;
  readonly ablations: boolean;
  readonly failures: number;
  readonly runs: number;
  readonly threads: number | undefined;
  readonly models: string | undefined;
  readonly out: string | undefined;
  readonly markdown: boolean;
}

/** @returns undefined when help is asked for. */
export function parseArguments(args: readonly string[]): Arguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const quick = values.quick;
  return {
    parts: readParts(positionals, values.data !== undefined),
    data: values.data,
    sizes: (values.sizes ?? defaultSizes(quick, values.data !== undefined)).split(",").map(parseCorpusSize),
    quick,
    seed: wholeNumber("seed", values.seed, 0),
    withoutTitles: values["without-titles"],
    ablations: values.ablations,
    failures: wholeNumber("failures", values.failures, 0),
    runs: quick ? 1 : wholeNumber("runs", values.runs, 1),
    threads: values.threads === undefined ? undefined : wholeNumber("threads", values.threads, 1),
    models: values.models,
    out: values.out,
    markdown: values.markdown,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: { type: "string" },
        sizes: { type: "string" },
        quick: { type: "boolean", default: false },
        seed: { type: "string", default: "1" },
        "without-titles": { type: "boolean", default: false },
        ablations: { type: "boolean", default: false },
        failures: { type: "string", default: "0" },
        runs: { type: "string", default: "3" },
        threads: { type: "string" },
        models: { type: "string" },
        out: { type: "string" },
        markdown: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function readParts(positionals: readonly string[], hasData: boolean): readonly Part[] {
  const [what = hasData ? "all" : "speed", ...others] = positionals;
  const part = PARTS.find((name) => name === what);
  if (others.length > 0 || (part === undefined && what !== "all")) {
    throw new UsageError(`expected one of ${PARTS.join(", ")}, all; got "${positionals.join(" ")}"\n\n${USAGE}`);
  }
  return part === undefined ? PARTS : [part];
}

function defaultSizes(quick: boolean, hasData: boolean): string {
  if (quick) return hasData ? "6k,10k" : "10k";
  return hasData ? "6k,30k,generated:30k,100k,1m" : "generated:30k,100k";
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < least) {
    throw new UsageError(`--${name} must be a whole number of at least ${least}, got "${text}"`);
  }
  return value;
}
