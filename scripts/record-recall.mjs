// `npm run record-recall`: measures the default retriever over the demo's sample and records its recall as the line that
// the tests hold. For changes that are meant to move it; the commit that records says what moved it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setUp } from "./lib/setup.mjs";
import { members, root } from "./lib/workspace.mjs";

const name = "@trigraph/evaluation";
await setUp(name);
const folder = join(root, members().get(name).dir);
const load = (file) => import(pathToFileURL(join(folder, "dist", file)).href);
const [{ evaluate }, { METHODS, readData }] = [await load("index.mjs"), await load("node.mjs")];

const sample = (file) => join(root, "examples/demo/data", file);
const { passages, questions } = await readData({
  corpora: [sample("corpus.jsonl")],
  questions: [sample("questions.jsonl")],
});
const retriever = await METHODS.get("trigraph").build(passages, {});
const { means } = await evaluate({ retriever, corpus: passages, questions, ks: [2, 5] });
await retriever.close();

const recorded = {
  renew: "npm run record-recall",
  tolerance: "one question: 1 / questions",
  questions: questions.length,
  recall: { "recall@2": means["recall@2"], "recall@5": means["recall@5"] },
};
writeFileSync(join(folder, "test/recorded-recall.json"), `${JSON.stringify(recorded, null, 2)}\n`);
console.log(recorded.recall);
