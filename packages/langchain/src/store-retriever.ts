import { type CallbackManagerForRetrieverRun, parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { DocumentInterface } from "@langchain/core/documents";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { VectorStoreRetriever } from "@langchain/core/vectorstores";
import { forCall, type TriGraphCall } from "./call-options.js";
import type { TriGraphStore } from "./store.js";

/** LangChain's retriever of a vector store, except that `signal` and `timeout` end a call. */
export class TriGraphStoreRetriever<V extends TriGraphStore> extends VectorStoreRetriever<V> {
  static override lc_name(): string {
    return "TriGraphStoreRetriever";
  }

  override get lc_namespace(): string[] {
    return ["trigraph", "retrievers"];
  }

  /** Of the call under way, on the object that `invoke` makes for it; of none on the retriever itself. */
  private readonly call: TriGraphCall = {};

  override invoke(question: string, options?: Partial<RunnableConfig>): Promise<DocumentInterface[]> {
    const config: Partial<RunnableConfig> = ensureConfig(parseCallbackConfigArg(options));
    return super.invoke.call(forCall(this, { signal: config.signal }), question, config);
  }

  override async _getRelevantDocuments(
    question: string,
    runManager?: CallbackManagerForRetrieverRun,
  ): Promise<DocumentInterface[]> {
    const { vectorStore, k, filter, searchKwargs } = this;
    const { signal } = this.call;
    if (this.searchType === "mmr") {
      return vectorStore.maxMarginalRelevanceSearch(question, { k, filter: filter!, ...searchKwargs, signal });
    }
    return vectorStore.similaritySearch(question, k, filter, runManager?.getChild("vectorstore"), { signal });
  }
}
