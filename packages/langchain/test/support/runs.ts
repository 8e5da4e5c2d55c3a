import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { DocumentInterface } from "@langchain/core/documents";
import type { Serialized } from "@langchain/core/load/serializable";

export interface RetrieverRun {
  readonly name: string;
  readonly query: string;
  readonly parent: string | undefined;
  readonly tags: readonly string[];
  documents?: number;
  error?: unknown;
}

/** Records the retriever runs that LangChain reports, by run id. */
export class RunRecorder extends BaseCallbackHandler {
  name = "run-recorder";
  override awaitHandlers = true;
  readonly runs = new Map<string, RetrieverRun>();

  override handleRetrieverStart(
    retriever: Serialized,
    query: string,
    runId: string,
    parent?: string,
    tags: string[] = [],
  ): void {
    this.runs.set(runId, { name: retriever.id.at(-1)!, query, parent, tags });
  }

  override handleRetrieverEnd(documents: DocumentInterface[], runId: string): void {
    this.runs.get(runId)!.documents = documents.length;
  }

  override handleRetrieverError(error: unknown, runId: string): void {
    this.runs.get(runId)!.error = error;
  }

  get list(): RetrieverRun[] {
    return [...this.runs.values()];
  }
}
