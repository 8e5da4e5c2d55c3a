import { readFileSync } from "node:fs";

const corpus = readFileSync(new URL("../data/corpus.jsonl", import.meta.url), "utf8");
const passages = corpus.split("\n").filter((line) => line !== "");

console.log(`${passages.length} passages`);
