import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readData } from "../src/data/files.js";
import { evaluate } from "../src/evaluate.js";
import { METHODS } from "../src/methods/registry.js";
import { SAMPLE } from "./support/data.js";

interface Recorded {
  readonly questions: number;
  readonly recall: Readonly<Record<string, number>>;
}

/** Written by `npm run record-recall` (`scripts/record-recall.mjs` says when to run it). */
const { questions: count, recall } = JSON.parse(
  readFileSync(new URL("recorded-recall.json", import.meta.url), "utf8"),
) as Recorded;

/** One question may be lost whole: new weights move a passage here and there. */
const TOLERANCE = 1 / count;

test("the default retriever's recall over the bundled sample holds its line", async () => {
  const { passages, questions } = await readData({ corpora: [SAMPLE.corpus], questions: [SAMPLE.questions] });
  const retriever = await METHODS.get("trigraph")!.build(passages, {});
  const { means } = await evaluate({ retriever, corpus: passages, questions, ks: [2, 5] });
  await retriever.close?.();
  expect(questions).toHaveLength(count);
  expect(Object.keys(recall)).toEqual(["recall@2", "recall@5"]);
  for (const [measure, before] of Object.entries(recall)) {
    expect(means[measure], `${measure} was ${before}`).toBeGreaterThanOrEqual(before - TOLERANCE - 1e-9);
  }
});
