/** Programs of examples/ that Node runs: FOLDER for its src/main.ts, FOLDER/PROGRAM for another of its src/. */
export const EXAMPLES = ["langchain", "langchain/agent", "llamaindex", "llamaindex/chat", "sync", "compare"];
