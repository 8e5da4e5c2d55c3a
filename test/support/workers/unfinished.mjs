// A program that leaves its pool as it is. It ends all the same.
import { TriGraph } from "@trigraph/core";
import { WorkerPool } from "@trigraph/core/node";

const index = await TriGraph.create();
await index.upsert([{ id: "1", text: "Ada Quill met Bram Stone." }], { workers: new WorkerPool({ threads: 2 }) });
console.log(index.stats().entities);
