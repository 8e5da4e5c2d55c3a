import { type CallbackManagerForRetrieverRun, parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { Document, DocumentInterface } from "@langchain/core/documents";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import { ensureConfig } from "@langchain/core/runnables";
import type { VectorStoreRetrieverInterface } from "@langchain/core/vectorstores";
import {
  InvalidArgumentError,
  type Prior,
  type RetrievedPassage,
  toPredicate,
  type TriGraph,
  show,
  withNeighbours,
} from "@trigraph/core";
import {
  forCall,
  readCallOptions,
  type SearchOptions,
  type TriGraphCall,
  type TriGraphCallOptions,
} from "./call-options.js";
import { DEFAULT_DENSE_K, DEFAULT_EVIDENCE_KEY, DEFAULT_SCORE_KEY } from "./defaults.js";
import { checkDenseFilter, densePriors, type DenseSource } from "./dense.js";
import { toDocument } from "./documents.js";
import { toPassageFilter } from "./filter.js";
import {
  type AddOptions,
  type DeleteOptions,
  documentsOf,
  type ExistingIndexOptions,
  TriGraphStore,
  type TriGraphStoreOptions,
} from "./store.js";

/** What a retriever returns. */
export interface TriGraphRetrieverOptions extends SearchOptions, BaseRetrieverInput {
  /** Put each document's score into its metadata. Off by default: what merges results compares metadata. */
  readonly includeScore?: boolean | undefined;
  /** Under which key. Default `"score"`. */
  readonly scoreKey?: string | undefined;
  /** Put what brought each document into its metadata: the core's `Evidence`. Default false. */
  readonly includeEvidence?: boolean | undefined;
  /** Under which key. Default `"evidence"`. */
  readonly evidenceKey?: string | undefined;
  /**
   * Return with each document so many chunks before and after it of the same document (`documentIdKey`), in the order
   * of addition and beside k. `filter` and `maxTokens` hold for them as well: a side ends at the first that is hidden
   * or does not fit. Default 0.
   */
  readonly withNeighbours?: number | undefined;
  /**
   * A retriever or vector store that has vectors of the same documents, under the same ids: its results count as
   * similarity, by rank among those that `filter` lets through. The store then takes no embeddings, so nothing is
   * embedded twice. A retriever has a k and a filter of its own: give it one that fits, or `filter` may leave little of
   * what it brings. For a vector store see `denseFilter`.
   */
  readonly denseRetriever?: DenseSource | undefined;
  /** Documents wanted of it when it is a vector store. Default 20. */
  readonly denseK?: number | undefined;
}

export interface TriGraphRetrieverInput extends TriGraphRetrieverOptions {
  readonly vectorStore: TriGraphStore;
}

export interface FromTextsOptions extends TriGraphRetrieverOptions, TriGraphStoreOptions {}

export interface FromIndexOptions extends TriGraphRetrieverOptions, ExistingIndexOptions {}

/**
 * LangChain's retriever over a trigraph index.
 *
 * `k`, `filter` (with `denseFilter`), `minScore` and `maxTokens` may be set for one call, beside LangChain's options or in `configurable`;
 * `signal` and `timeout` end a call. Documents keep their ids, texts and metadata. Order: score, then id.
 */
export class TriGraphRetriever extends BaseRetriever implements VectorStoreRetrieverInterface<TriGraphStore> {
  static override lc_name(): string {
    return "TriGraphRetriever";
  }

  override lc_namespace = ["trigraph", "retrievers"];

  readonly vectorStore: TriGraphStore;
  private readonly options: TriGraphRetrieverOptions;
  /** Of the call under way, on the object that `invoke` makes for it; of none on the retriever itself. */
  private readonly call: TriGraphCall = {};

  constructor(input: TriGraphRetrieverInput) {
    const { vectorStore, callbacks, tags, metadata, verbose, ...options } = input;
    // The base keeps all that it is given, and serialises it at every call.
    super({
      ...(callbacks && { callbacks }),
      ...(tags && { tags }),
      ...(metadata && { metadata }),
      ...(verbose !== undefined && { verbose }),
    });
    const { denseRetriever, denseK = DEFAULT_DENSE_K, withNeighbours: reach = 0 } = options;
    checkInteger("denseK", denseK, 1);
    checkDenseFilter(denseRetriever, options.denseFilter);
    checkInteger("withNeighbours", reach, 0);
    if (denseRetriever !== undefined && vectorStore.hasEmbeddings) {
      throw new InvalidArgumentError(
        "TriGraphRetriever: expected a denseRetriever or embeddings, got both. Leave the embeddings out: the denseRetriever has the vectors.",
      );
    }
    this.vectorStore = vectorStore;
    this.options = options;
  }

  /** Over a new store in memory that holds the documents. Without embeddings words serve all stages. @param call how they are added */
  static async fromDocuments(
    documents: DocumentInterface[],
    embeddings?: EmbeddingsInterface,
    options: FromTextsOptions = {},
    call?: AddOptions,
  ): Promise<TriGraphRetriever> {
    const retriever = new TriGraphRetriever({ ...options, vectorStore: new TriGraphStore(embeddings, options) });
    await retriever.addDocuments(documents, call);
    return retriever;
  }

  /** Over a new store in memory that holds the texts. @param metadatas one for each text, or one for all */
  static async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings?: EmbeddingsInterface,
    options?: FromTextsOptions,
    call?: AddOptions,
  ): Promise<TriGraphRetriever> {
    return TriGraphRetriever.fromDocuments(documentsOf("fromTexts", texts, metadatas), embeddings, options, call);
  }

  /** Over an index that was made without LangChain. */
  static fromExistingIndex(index: TriGraph, options: FromIndexOptions = {}): TriGraphRetriever {
    return new TriGraphRetriever({ ...options, vectorStore: TriGraphStore.fromExistingIndex(index, options) });
  }

  /** Adds documents, or replaces those whose ids exist. Resolves to the ids. */
  addDocuments(documents: DocumentInterface[], options?: AddOptions): Promise<string[]> {
    return this.vectorStore.addDocuments(documents, options);
  }

  /** Removes documents by their ids; those that the store does not hold are no error. */
  delete(options: DeleteOptions): Promise<void> {
    return this.vectorStore.delete(options);
  }

  /**
   * The documents that answer the question, best first.
   *
   * @throws InvalidArgumentError on a question or options that are not as documented; the core's other errors; the
   * signal's reason, a `TimeoutError` for `timeout`
   */
  override invoke(question: string, options?: TriGraphCallOptions): Promise<Document[]> {
    // The base knows neither signals nor options of a call.
    const config: TriGraphCallOptions = ensureConfig(parseCallbackConfigArg(options));
    const caller = forCall(this, { ...readCallOptions(config), signal: config.signal });
    return super.invoke.call(caller, question, config) as Promise<Document[]>;
  }

  override async _getRelevantDocuments(
    question: string,
    runManager?: CallbackManagerForRetrieverRun,
  ): Promise<Document[]> {
    if (typeof question !== "string") {
      throw new InvalidArgumentError(
        `TriGraphRetriever: expected the question to be a string, got ${show(question)}. Pick it before: (input) => input.question.`,
      );
    }
    const { withNeighbours: reach = 0, includeEvidence: explain = false } = this.options;
    const { signal } = this.call;
    const { k, minScore, maxTokens, countTokens, ...search } = { ...this.options, ...this.call };
    const filter = toPassageFilter("TriGraphRetriever", search.filter);
    const index = await this.vectorStore.index();
    const priors = await this.priors(question, search, index, runManager);
    const hits = await index.retrieve(question, {
      k,
      filter,
      minScore,
      maxTokens,
      countTokens,
      explain,
      signal,
      ...(priors && { priors }),
    });
    if (reach === 0) return hits.map((hit) => this.document(hit, true));
    const isHit = new Set(hits.map(({ passage }) => passage.id));
    const isVisible = toPredicate("TriGraphRetriever", filter) ?? (() => true);
    const neighboursOf = await this.vectorStore.neighbours(reach);
    const found = withNeighbours(hits, neighboursOf, isVisible, { maxTokens, countTokens });
    return found.map((hit) => this.document(hit, isHit.has(hit.passage.id)));
  }

  private async priors(
    question: string,
    { filter, denseFilter }: SearchOptions,
    index: TriGraph,
    runManager: CallbackManagerForRetrieverRun | undefined,
  ): Promise<Prior[] | undefined> {
    const { denseRetriever, denseK: k = DEFAULT_DENSE_K } = this.options;
    checkDenseFilter(denseRetriever, denseFilter);
    const { signal } = this.call;
    return (
      denseRetriever && densePriors(denseRetriever, { question, index, k, filter, denseFilter, runManager, signal })
    );
  }

  private document({ passage, score, evidence }: RetrievedPassage, isHit: boolean): Document {
    const { includeScore = false, scoreKey = DEFAULT_SCORE_KEY, evidenceKey = DEFAULT_EVIDENCE_KEY } = this.options;
    const document = toDocument(passage);
    const added = [
      ...(includeScore && isHit ? [[scoreKey, score, "scoreKey"] as const] : []),
      ...(evidence !== undefined ? [[evidenceKey, evidence, "evidenceKey"] as const] : []),
    ];
    for (const [key, value, option] of added) {
      if (Object.hasOwn(document.metadata, key)) {
        throw new InvalidArgumentError(
          `TriGraphRetriever: expected metadata without ${show(key)}, got one in document ${show(passage.id)}. Set ${option} to another name.`,
        );
      }
      document.metadata[key] = value;
    }
    return document;
  }
}

function checkInteger(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return;
  throw new InvalidArgumentError(
    `TriGraphRetriever: expected ${name} to be an integer of at least ${least}, got ${show(value)}.`,
  );
}
