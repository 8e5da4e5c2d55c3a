export { UsearchIndexer, type UsearchOptions } from "./dense/usearch.js";
export { FileDirectory } from "./directory/file.js";
export { FileVectorCache } from "./directory/vector-file.js";
export { WorkerPool, type WorkerPoolOptions } from "./workers/pool.js";
export { serveAnalyzer } from "./workers/serve.js";
