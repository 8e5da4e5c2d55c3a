import type { Document, NodeWithScore, TextNode, BaseNode } from "@llamaindex/core/schema";
import type { BaseNodePostprocessor } from "@llamaindex/core/postprocessor";
import { type QueryBundle, RetrieverQueryEngine } from "@llamaindex/core/query-engine";
import type { BaseSynthesizer } from "@llamaindex/core/response-synthesizers";
import { BaseRetriever } from "@llamaindex/core/retriever";
import { extractText } from "@llamaindex/core/utils";
import { consoleLogger } from "@llamaindex/env";
import {
  type CallOptions,
  type DeleteReport,
  type Directory,
  InvalidArgumentError,
  type LongCallOptions,
  type Prior,
  type StoredPassage,
  TriGraph,
  type UpsertReport,
  checkNames,
  withNeighbours,
} from "@trigraph/core";
import { checkInteger } from "./check.js";
import { DEFAULT_DENSE_TOP_K } from "./defaults.js";
import { denseHits, toPriors } from "./dense.js";
import { DOCUMENT_OPTIONS, type DocumentOptions, documentIdsOf, nodesFromDocuments } from "./documents.js";
import { attempt, embedderOf, type NodeEmbedder } from "./embedder.js";
import { toPredicate } from "./filters.js";
import { neighboursOf } from "./neighbours.js";
import { NodeIndex } from "./node-index.js";
import {
  INDEX_OPTIONS,
  type IndexOptions,
  type PersistedOptions,
  RETRIEVER_OPTIONS,
  type RetrieverOptions,
} from "./options.js";
import { toNode } from "./passages.js";

/** What `asQueryEngine` puts around the retriever. */
export interface QueryEngineOptions extends RetrieverOptions {
  /** Default: LlamaIndex's `"compact"`, with `Settings.llm`. */
  readonly responseSynthesizer?: BaseSynthesizer | undefined;
  readonly nodePostprocessors?: BaseNodePostprocessor[] | undefined;
}

/** A question, and what ends this one retrieval, in place of the retriever's own signal. */
export interface TriGraphQuery extends QueryBundle, CallOptions {}

/** How documents are cut and where an index is kept: what retrievers of one index share. */
interface Source {
  readonly nodes: NodeIndex;
  readonly documents: DocumentOptions;
  /** Whether each write is durable when it resolves. */
  readonly isPersistent: boolean;
}

/**
 * Retrieves nodes over a graph of passages, sentences and entities: what a question needs from several passages, also
 * where they share no word with it. Works wherever LlamaIndex takes a `BaseRetriever`.
 *
 * Nodes come back as they were inserted, new objects each time, without embeddings; best first, and of equal scores by
 * id. Errors are the core's `TriGraphError`s.
 */
export class TriGraphRetriever extends BaseRetriever {
  /** The index itself, for all that the core can do. */
  readonly index: TriGraph;
  private readonly source: Source;
  private readonly options: RetrieverOptions;
  private readonly filter: ((passage: StoredPassage) => boolean) | undefined;
  private hasWarned = false;

  private constructor(method: string, source: Source, options: RetrieverOptions) {
    super();
    checkInteger(`${method}: topK`, options.topK, 1);
    checkInteger(`${method}: denseTopK`, options.denseTopK, 1);
    checkInteger(`${method}: withNeighbours`, options.withNeighbours, 0);
    if (options.denseRetriever !== undefined && source.nodes.embedder !== undefined) {
      throw new InvalidArgumentError(
        `${method}: expected an embedModel or a denseRetriever, got both. The second brings similarities of its own.`,
      );
    }
    this.index = source.nodes.index;
    this.source = source;
    this.options = options;
    this.filter = options.filters && toPredicate(`${method}: filters`, options.filters);
  }

  /** An index in memory of documents, which are cut into nodes. @param call of this call, not of the retriever */
  static async fromDocuments(
    documents: readonly Document[],
    options: IndexOptions & DocumentOptions = {},
    call: LongCallOptions = {},
  ): Promise<TriGraphRetriever> {
    checkNames("fromDocuments", options, [...INDEX_OPTIONS, ...DOCUMENT_OPTIONS]);
    const retriever = await TriGraphRetriever.inMemory("fromDocuments", options);
    await retriever.insertDocuments(documents, call);
    return retriever;
  }

  /** An index in memory of nodes that are cut already; they keep their ids. @param call of this call, not of the retriever */
  static async fromNodes(
    nodes: readonly BaseNode[],
    options: IndexOptions = {},
    call: LongCallOptions = {},
  ): Promise<TriGraphRetriever> {
    checkNames("fromNodes", options, INDEX_OPTIONS);
    const retriever = await TriGraphRetriever.inMemory("fromNodes", options);
    await retriever.insertNodes(nodes, call);
    return retriever;
  }

  /**
   * A retriever over an index that is there: made with the core, or shared with a `TriGraphVectorStore`. Without an
   * `embedModel` the index's own embedder embeds questions and nodes.
   */
  static async fromExistingIndex(
    index: TriGraph,
    options: Omit<IndexOptions, "analyzer" | "preset" | "ranking"> & DocumentOptions = {},
  ): Promise<TriGraphRetriever> {
    const names = INDEX_OPTIONS.filter((name) => !["analyzer", "preset", "ranking"].includes(name));
    checkNames("fromExistingIndex", options, [...names, ...DOCUMENT_OPTIONS]);
    const embedder = await embedderOf("fromExistingIndex", options);
    return TriGraphRetriever.over("fromExistingIndex", index, options, embedder, false);
  }

  /**
   * The index that `persist` left in a directory, with the same `embedModel`. Every later write is durable when it
   * resolves, and until `close` no one else may write there. `readOnly`: no writes, and no lock.
   *
   * @throws IndexError `NOT_FOUND` without an index there, `INDEX_MISMATCH` for another embedding model or vector
   * length, `LOCKED` while another writer has it open
   */
  static async fromPersistDir(
    directory: Directory,
    options: PersistedOptions & DocumentOptions = {},
  ): Promise<TriGraphRetriever> {
    checkNames("fromPersistDir", options, [...INDEX_OPTIONS, ...DOCUMENT_OPTIONS, "readOnly"]);
    const { analyzer, preset, ranking, readOnly } = options;
    const embedder = await embedderOf("fromPersistDir", options);
    const index = await TriGraph.open(directory, { embedder, analyzer, preset, ranking, readOnly });
    try {
      return TriGraphRetriever.over("fromPersistDir", index, options, embedder, true);
    } catch (error) {
      await index.close();
      throw error;
    }
  }

  private static async inMemory(method: string, options: IndexOptions & DocumentOptions): Promise<TriGraphRetriever> {
    const { analyzer, preset, ranking } = options;
    const embedder = await embedderOf(method, options);
    const index = await TriGraph.create({ embedder, analyzer, preset, ranking });
    return TriGraphRetriever.over(method, index, options, embedder, false);
  }

  private static over(
    method: string,
    index: TriGraph,
    options: IndexOptions & DocumentOptions,
    embedder: NodeEmbedder | undefined,
    isPersistent: boolean,
  ): TriGraphRetriever {
    const nodes = new NodeIndex(index, { titleKey: options.titleKey }, embedder);
    const { nodeParser, documentId } = options;
    return new TriGraphRetriever(method, { nodes, documents: { nodeParser, documentId }, isPersistent }, options);
  }

  /**
   * Adds documents; those that are there (by their ids, or `documentId`) are replaced with all their nodes, of which
   * the unchanged ones are neither embedded nor written again.
   */
  async insertDocuments(documents: readonly Document[], options: LongCallOptions = {}): Promise<UpsertReport> {
    checkNames("insertDocuments", options, ["signal", "onProgress"]);
    const { nodes, documents: ways } = this.source;
    const ids = documentIdsOf(documents, ways);
    return nodes.insertDocuments("insertDocuments", await nodesFromDocuments(documents, ways), ids, options);
  }

  /** Adds nodes, or replaces those whose ids exist. The same nodes again change nothing. All or none. */
  async insertNodes(nodes: readonly BaseNode[], options: LongCallOptions = {}): Promise<UpsertReport> {
    checkNames("insertNodes", options, ["signal", "onProgress"]);
    return this.source.nodes.insert("insertNodes", nodes, options);
  }

  /** Removes all nodes of a document: those whose source it is. Nothing of them remains, here or after a reload. */
  async deleteRefDoc(refDocId: string, options: CallOptions = {}): Promise<DeleteReport> {
    checkNames("deleteRefDoc", options, ["signal"]);
    return this.source.nodes.deleteDocument(refDocId, options);
  }

  /**
   * Writes a copy of the index into a directory, whole or not at all, replacing one that is there. An index that
   * `fromPersistDir` opened is always persisted where it came from; without a directory its queued writes are awaited.
   */
  async persist(directory?: Directory, options: CallOptions = {}): Promise<void> {
    if (directory !== undefined) return this.index.save(directory, options);
    if (this.source.isPersistent) return this.source.nodes.settled();
    throw new InvalidArgumentError(
      'persist: expected a directory, since the index is in memory only, got none. Pass a FileDirectory from "@trigraph/core/node".',
    );
  }

  /** Ends all writes and gives up the directory. */
  close(): Promise<void> {
    return this.index.close();
  }

  /**
   * The nodes that answer the question, best first.
   *
   * @throws InvalidArgumentError on a blank question; EmbeddingError when the model fails; the signal's reason
   */
  override retrieve(params: string | TriGraphQuery): Promise<NodeWithScore[]> {
    // LlamaIndex hands the bundle to `_retrieve` as it is, with the signal.
    return super.retrieve(params);
  }

  /** A retriever over the same index whose options differ in those given. It costs nothing. */
  asRetriever(options: RetrieverOptions = {}): TriGraphRetriever {
    checkNames("asRetriever", options, RETRIEVER_OPTIONS);
    return new TriGraphRetriever("asRetriever", this.source, { ...this.options, ...options });
  }

  /** LlamaIndex's query engine over this retriever, with these options in place of its own. */
  asQueryEngine(options: QueryEngineOptions = {}): RetrieverQueryEngine {
    const { responseSynthesizer, nodePostprocessors, ...query } = options;
    return new RetrieverQueryEngine(this.asRetriever(query), responseSynthesizer, nodePostprocessors);
  }

  /** What LlamaIndex's `retrieve` calls between its events. */
  async _retrieve(bundle: TriGraphQuery): Promise<NodeWithScore[]> {
    const question = extractText(bundle.query);
    const { topK, minScore, maxTokens, countTokens, withNeighbours: reach = 0 } = this.options;
    const { signal = this.options.signal } = bundle;
    const { index, filter } = this;
    const hits = await index.retrieve(question, {
      k: topK,
      filter,
      minScore,
      maxTokens,
      countTokens,
      signal,
      vector: await this.vectorOf(bundle, question, signal),
      priors: await this.priorsOf(bundle, signal),
    });
    const found =
      reach === 0
        ? hits
        : withNeighbours(hits, (passage) => neighboursOf(index, passage, reach), filter ?? (() => true), this.options);
    return found.map(({ passage, score }) => ({ node: this.nodeOf(passage), score }));
  }

  private nodeOf(passage: StoredPassage): TextNode {
    return toNode(passage, this.source.nodes.options);
  }

  /** The question's vector: the bundle's, the mean of those of the texts that it wants embedded, or the question's own. */
  private async vectorOf(
    { embeddings, customEmbeddings }: QueryBundle,
    question: string,
    signal: AbortSignal | undefined,
  ): Promise<ArrayLike<number> | undefined> {
    // Vectors are the dense source's business where there is one.
    if (this.options.denseRetriever !== undefined) return undefined;
    if (embeddings !== undefined) return embeddings;
    const { embedder } = this.source.nodes;
    const isCustom = customEmbeddings !== undefined && customEmbeddings.length > 0;
    if (embedder === undefined) {
      if (!isCustom) return undefined;
      throw new InvalidArgumentError(
        "retrieve: expected an embedModel for the query's customEmbeddings, got none. Make the retriever with one.",
      );
    }
    const texts = isCustom ? customEmbeddings : [question];
    return mean(await attempt("retrieve", signal, () => Promise.all(texts.map((text) => embedder.embedQuery(text)))));
  }

  private async priorsOf(bundle: QueryBundle, signal: AbortSignal | undefined): Promise<Prior[]> {
    const { denseRetriever, denseTopK = DEFAULT_DENSE_TOP_K, filters, logger = consoleLogger } = this.options;
    if (denseRetriever === undefined) return [];
    const hits = await denseHits(denseRetriever, bundle, denseTopK, filters, signal);
    if (hits.length > 0 && !this.hasWarned && hits.every(({ id }) => this.index.get(id) === undefined)) {
      this.hasWarned = true;
      logger.warn(
        `retrieve: the denseRetriever brought ${hits.length} nodes and the index holds none of them. Make both from the same nodes.`,
      );
    }
    return toPriors(hits);
  }
}

function mean(vectors: readonly ArrayLike<number>[]): ArrayLike<number> {
  const [first] = vectors;
  if (vectors.length === 1) return first;
  return Array.from(first, (_, i) => vectors.reduce((sum, vector) => sum + vector[i], 0) / vectors.length);
}
