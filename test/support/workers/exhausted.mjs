// Runs a thread out of memory; to be started with little of it.
import { EnglishAnalyzer, TriGraph } from "@trigraph/core";
import { WorkerPool } from "@trigraph/core/node";

const english = new EnglishAnalyzer();
const workers = new WorkerPool({ threads: 1, script: new URL("moody.mjs", import.meta.url) });
const index = await TriGraph.create({ analyzer: { id: "moody/1", analyze: (text) => english.analyze(text) } });
const error = await index.upsert([{ id: "1", text: "exhaust" }], { workers }).catch((error) => error);
console.log(error.code, error.cause.code, index.size);
await index.upsert([{ id: "1", text: "Ada Quill" }], { workers });
console.log(index.size);
