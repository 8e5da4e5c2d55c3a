/** Programs of examples/ that Node runs: FOLDER for its src/main.ts, FOLDER/PROGRAM for another of its src/. */
export const PROGRAMS = ["langchain", "langchain/agent", "llamaindex", "llamaindex/chat", "sync", "compare"];

/** Folders of examples/ that run elsewhere: their serve.mjs serves what is built, until it is stopped. */
export const SERVED = ["browser", "edge"];
