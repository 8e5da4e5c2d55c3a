/**
 * trigraph beside a vector store and BM25 on a folder of your own and questions of your own: what each finds of the
 * evidence, and how often an answer made from it contains the right one. `--help` tells how to write the questions.
 *
 *     npm run example -- compare
 *     npm run example -- compare FOLDER QUESTIONS
 */
import { setMaxListeners } from "node:events";
import process from "node:process";
import { ReadError } from "@trigraph/console/read";
import { TriGraphError } from "@trigraph/core";
import { EvaluationError } from "@trigraph/evaluation";
import { parseArguments, USAGE } from "./arguments.js";
import { compare } from "./compare.js";
import { UsageError } from "./errors.js";
import { startModels } from "./models.js";

const INTERRUPTED = 130;

const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort());
const { signal } = interruption;
// OpenAI's client adds a listener with each request, and leaves it there: no leak, but Node would warn of one.
setMaxListeners(0, signal);

try {
  const args = parseArguments(process.argv.slice(2));
  process.stdout.write(args.help ? `${USAGE}\n` : await run(args));
} catch (error) {
  process.exitCode = codeOf(error);
  if (!signal.aborted) process.stderr.write(`compare: ${(error as Error).message}\n`);
}

async function run(args: ReturnType<typeof parseArguments>): Promise<string> {
  const models = await startModels(process.env.OPENAI_API_KEY);
  try {
    return await compare(args, models, signal);
  } finally {
    await models.close();
  }
}

/** @throws what is no mistake of the user's */
function codeOf(error: unknown): number {
  if (signal.aborted) return INTERRUPTED;
  if (error instanceof UsageError) return 2;
  if ([ReadError, TriGraphError, EvaluationError].some((kind) => error instanceof kind)) return 1;
  throw error;
}
