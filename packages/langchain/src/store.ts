import { Document, type DocumentInterface } from "@langchain/core/documents";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { maximalMarginalRelevance } from "@langchain/core/utils/math";
import type { Callbacks } from "@langchain/core/callbacks/manager";
import {
  type MaxMarginalRelevanceSearchOptions,
  VectorStore,
  type VectorStoreRetriever,
  type VectorStoreRetrieverInput,
} from "@langchain/core/vectorstores";
import {
  abortable,
  type CallOptions,
  type Directory,
  InvalidArgumentError,
  type LongCallOptions,
  type OpenOptions,
  type Passage,
  type RetrievedPassage,
  type StoredPassage,
  TriGraph,
  type TriGraphOptions,
  show,
} from "@trigraph/core";
import { ChunkOrder } from "./chunk-order.js";
import {
  DEFAULT_DOCUMENT_ID_KEY,
  DEFAULT_FETCH_K,
  DEFAULT_LAMBDA,
  DEFAULT_STORE_K,
  DEFAULT_TITLE_KEY,
} from "./defaults.js";
import { checkedDocument, type DocumentKeys, idOf, toDocument, toPassage, withPosition } from "./documents.js";
import { langChainEmbedder } from "./embedder.js";
import { type DocumentFilter, toPassageFilter } from "./filter.js";
import { TriGraphStoreRetriever } from "./store-retriever.js";

/** How documents become passages. */
interface KeyOptions {
  /** Metadata that is the passage's title where it is a string; null for none. Default `"title"`. */
  readonly titleKey?: string | null | undefined;
  /** Metadata that chunks of one document share: their neighbours. Default `"source"`. */
  readonly documentIdKey?: string | undefined;
}

/** How the store's index is made: the core's options, with LangChain's embeddings in place of an embedder. */
export interface TriGraphStoreOptions extends Omit<TriGraphOptions, "embedder">, KeyOptions {
  /** Names the embeddings in a saved index. Default: class and model. See `langChainEmbedder`. */
  readonly embedderId?: string | undefined;
  /** Length of the vectors. Default: that of a first vector. */
  readonly dimensions?: number | undefined;
}

export interface LoadOptions extends TriGraphStoreOptions, Pick<OpenOptions, "create" | "readOnly"> {}

/** Options of `fromExistingIndex`. */
export interface ExistingIndexOptions extends KeyOptions {
  /** Makes the question's vector for maximal marginal relevance. Everything else the index's own embedder does. */
  readonly embeddings?: EmbeddingsInterface | undefined;
}

/** Options of `addDocuments`. */
export interface AddOptions extends LongCallOptions {
  /** One for each document. Default: the documents' own, or else derived of their content. */
  readonly ids?: string[] | undefined;
}

/** Options of `delete`. */
export interface DeleteOptions extends CallOptions {
  /** Ids that the store does not hold are no error. */
  readonly ids: string[];
}

/** Stands where LangChain's types want embeddings and there are none. */
const NO_EMBEDDINGS: EmbeddingsInterface = {
  embedDocuments: () => Promise.reject(withoutEmbeddings()),
  embedQuery: () => Promise.reject(withoutEmbeddings()),
};

function withoutEmbeddings(): InvalidArgumentError {
  return new InvalidArgumentError("TriGraphStore: expected embeddings, since a vector is needed, got none.");
}

/**
 * A trigraph index as LangChain's vector store. Searches by text run the graph; those by a vector, and maximal
 * marginal relevance, are plain vector search. Documents are never split. Writes are whole or not at all.
 *
 * Errors are the core's `TriGraphError`s.
 */
export class TriGraphStore extends VectorStore {
  declare FilterType: DocumentFilter;

  static override lc_name(): string {
    return "TriGraphStore";
  }

  /** @internal */
  readonly keys: DocumentKeys;
  private readonly options: TriGraphStoreOptions;
  private opened: Promise<TriGraph> | undefined;
  private order: ChunkOrder | undefined;

  /** An empty store in memory. Without embeddings words serve all stages. */
  constructor(embeddings?: EmbeddingsInterface, options: TriGraphStoreOptions = {}) {
    super(embeddings ?? NO_EMBEDDINGS, {});
    const { titleKey = DEFAULT_TITLE_KEY, documentIdKey = DEFAULT_DOCUMENT_ID_KEY } = options;
    this.keys = { title: titleKey, document: documentIdKey };
    this.options = options;
  }

  /** A store in memory that holds the documents. @param call how they are added */
  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings?: EmbeddingsInterface,
    options?: TriGraphStoreOptions,
    call?: AddOptions,
  ): Promise<TriGraphStore> {
    const store = new TriGraphStore(embeddings, options);
    await store.addDocuments(documents, call);
    return store;
  }

  /** A store in memory that holds the texts. @param metadatas one for each text, or one for all */
  static override async fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings?: EmbeddingsInterface,
    options?: TriGraphStoreOptions,
    call?: AddOptions,
  ): Promise<TriGraphStore> {
    return TriGraphStore.fromDocuments(documentsOf("fromTexts", texts, metadatas), embeddings, options, call);
  }

  /** A store over an index that was made without LangChain. Closing one closes the other. */
  static fromExistingIndex(index: TriGraph, options: ExistingIndexOptions = {}): TriGraphStore {
    // Not instanceof: the index may come of the package's other build, CommonJS or ES module.
    if (typeof (index as Partial<TriGraph> | undefined)?.retrieve !== "function") {
      throw new InvalidArgumentError(`fromExistingIndex: expected a TriGraph, got ${show(index)}.`);
    }
    const store = new TriGraphStore(options.embeddings, options);
    store.opened = Promise.resolve(index);
    return store;
  }

  /**
   * The store that a directory holds: what `save` or `TriGraph.open` left there. Every later write is durable when it
   * resolves. @throws IndexError as `TriGraph.open` does
   */
  static async load(
    directory: Directory,
    embeddings?: EmbeddingsInterface,
    options: LoadOptions = {},
  ): Promise<TriGraphStore> {
    const { create, readOnly, ...own } = options;
    const store = new TriGraphStore(embeddings, own);
    const index = await TriGraph.open(directory, { ...(await store.indexOptions()), create, readOnly });
    store.opened = Promise.resolve(index);
    return store;
  }

  override _vectorstoreType(): string {
    return "trigraph";
  }

  /** Whether texts are embedded by this store's embeddings. */
  get hasEmbeddings(): boolean {
    return this.embeddings !== NO_EMBEDDINGS;
  }

  /** The index behind; made at the first call of this or another method. */
  index(): Promise<TriGraph> {
    this.opened ??= this.indexOptions()
      .then((options) => TriGraph.create(options))
      .catch((error: unknown) => {
        // Embeddings that failed once may work the next time.
        this.opened = undefined;
        throw error;
      });
    return this.opened;
  }

  /** Adds documents, or replaces those whose ids exist; the same again changes nothing and embeds nothing. Resolves to the ids. */
  override addDocuments(documents: DocumentInterface[], options: AddOptions = {}): Promise<string[]> {
    return this.add("addDocuments", documents, undefined, options);
  }

  /** Adds documents whose vectors are known. @param vectors one for each document, all of one length */
  override addVectors(
    vectors: number[][],
    documents: DocumentInterface[],
    options: AddOptions = {},
  ): Promise<string[]> {
    return this.add("addVectors", documents, vectors, options);
  }

  /** Removes documents, and everything that followed from them. */
  override async delete(options: DeleteOptions): Promise<void> {
    // Other stores take a filter, or delete all: what is asked in vain must not seem done.
    if (!Array.isArray(options?.ids)) {
      throw new InvalidArgumentError(
        `delete: expected { ids }, an array of ids, got ${show(options?.ids ?? options)}.`,
      );
    }
    const { ids, signal } = options;
    const index = await this.index();
    const held = ids.flatMap((id) => index.get(id) ?? []);
    await index.delete(ids, { signal });
    for (const passage of held) this.order?.remove(passage);
  }

  /** LangChain's retriever over this store: it runs the graph, or with `searchType: "mmr"` vector search. */
  override asRetriever(
    kOrFields?: number | Partial<VectorStoreRetrieverInput<this>>,
    filter?: this["FilterType"],
    callbacks?: Callbacks,
    tags?: string[],
    metadata?: Record<string, unknown>,
    verbose?: boolean,
  ): VectorStoreRetriever<this> {
    const positional = { k: kOrFields, filter, callbacks, tags, metadata, verbose };
    const fields = typeof kOrFields === "number" ? positional : (kOrFields ?? positional);
    const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
    const input = { ...Object.fromEntries(defined), vectorStore: this };
    return new TriGraphStoreRetriever({ ...input, tags: [...(fields.tags ?? []), this._vectorstoreType()] });
  }

  /** The documents that the graph ranks first. @param _callbacks LangChain's; a search reports no run of its own */
  override async similaritySearch(
    query: string,
    k?: number,
    filter?: this["FilterType"],
    _callbacks?: Callbacks,
    options?: CallOptions,
  ): Promise<Document[]> {
    const hits = await this.search("similaritySearch", query, k, filter, options);
    return hits.map(({ passage }) => toDocument(passage));
  }

  /** The same with the graph's scores: higher is better, and those of two questions cannot be compared. */
  override async similaritySearchWithScore(
    query: string,
    k?: number,
    filter?: this["FilterType"],
    _callbacks?: Callbacks,
    options?: CallOptions,
  ): Promise<[Document, number][]> {
    const hits = await this.search("similaritySearchWithScore", query, k, filter, options);
    return hits.map(({ passage, score }) => [toDocument(passage), score]);
  }

  /** The documents whose vectors are nearest, by cosine from -1 to 1. The graph has no part in it. */
  async similaritySearchVectorWithScore(
    query: number[],
    k: number = DEFAULT_STORE_K,
    filter?: this["FilterType"],
  ): Promise<[Document, number][]> {
    const index = await this.index();
    const hits = await index.nearest(query, { k, filter: toPassageFilter("similaritySearchVectorWithScore", filter) });
    return hits.map(({ passage, score }) => [toDocument(passage), score]);
  }

  /** Of the `fetchK` nearest documents the k that are near the query and unlike each other. The graph has no part in it. */
  override async maxMarginalRelevanceSearch(
    query: string,
    options: MaxMarginalRelevanceSearchOptions<this["FilterType"]> & CallOptions,
  ): Promise<Document[]> {
    const { k, fetchK = DEFAULT_FETCH_K, lambda = DEFAULT_LAMBDA, signal } = options;
    const filter = toPassageFilter("maxMarginalRelevanceSearch", options.filter);
    const index = await this.index();
    signal?.throwIfAborted();
    const vector = await abortable(this.embeddings.embedQuery(query), signal);
    const hits = await index.nearest(vector, { k: Math.max(k, fetchK), filter, signal });
    const vectors = hits.map(({ passage }) => [...index.vectorOf(passage.id)!]);
    return maximalMarginalRelevance(vector, vectors, lambda, k).map((i) => toDocument(hits[i].passage));
  }

  /** Chunks of the hit's document around it. @internal */
  async neighbours(reach: number) {
    const order = this.chunkOrder(await this.index());
    return (passage: StoredPassage) => order.around(passage, reach);
  }

  /** Copies the store into a directory, replacing an index that is there. */
  async save(directory: Directory, options?: CallOptions): Promise<void> {
    await (await this.index()).save(directory, options);
  }

  /** Ends all writes and gives up the directory. */
  async close(): Promise<void> {
    await (await this.opened)?.close();
  }

  private async search(
    method: string,
    query: string,
    k: number = DEFAULT_STORE_K,
    filter: DocumentFilter | undefined,
    { signal }: CallOptions = {},
  ): Promise<RetrievedPassage[]> {
    const index = await this.index();
    return index.retrieve(query, { k, filter: toPassageFilter(method, filter), signal });
  }

  private async add(
    method: string,
    documents: DocumentInterface[],
    vectors: number[][] | undefined,
    { ids, signal, onProgress }: AddOptions,
  ): Promise<string[]> {
    checkLengths(method, documents, { ids, vectors });
    if (documents.length === 0) return [];
    const index = await this.index();
    const order = this.chunkOrder(index);
    const passages = documents.map((each, i): Passage => {
      const document = checkedDocument(method, each);
      const id = ids?.[i] ?? idOf(method, document);
      const passage = toPassage(document, id, this.keys);
      const position = order.place(passage);
      const placed = position === undefined ? passage : withPosition(passage, position);
      return vectors === undefined ? placed : { ...placed, vector: vectors[i] };
    });
    await index.upsert(passages, { signal, onProgress });
    return passages.map(({ id }) => id);
  }

  private chunkOrder(index: TriGraph): ChunkOrder {
    this.order ??= ChunkOrder.read(index, this.keys);
    return this.order;
  }

  private async indexOptions(): Promise<TriGraphOptions> {
    const { analyzer, preset, ranking, embedderId, dimensions } = this.options;
    const embedder = this.hasEmbeddings
      ? await langChainEmbedder(this.embeddings, { id: embedderId, dimensions })
      : undefined;
    return { analyzer, preset, ranking, embedder };
  }
}

/** @internal */
export function documentsOf(method: string, texts: readonly string[], metadatas: object[] | object): Document[] {
  if (Array.isArray(metadatas) && metadatas.length !== texts.length) {
    throw new InvalidArgumentError(
      `${method}: expected one metadata for each of ${texts.length} texts, got ${metadatas.length}.`,
    );
  }
  return texts.map((pageContent, i) => {
    const metadata = (Array.isArray(metadatas) ? metadatas[i] : metadatas) as Record<string, unknown>;
    return new Document({ pageContent, metadata: { ...metadata } });
  });
}

function checkLengths(
  method: string,
  documents: unknown,
  others: { readonly ids: unknown; readonly vectors: unknown },
): void {
  if (!Array.isArray(documents)) {
    throw new InvalidArgumentError(`${method}: expected an array of documents, got ${show(documents)}.`);
  }
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined || (Array.isArray(value) && value.length === documents.length)) continue;
    throw new InvalidArgumentError(
      `${method}: expected ${name} for ${documents.length} documents, one for each, got ${show(value)}.`,
    );
  }
}
