import { BaseEmbedding } from "@llamaindex/core/embeddings";
import { Settings } from "@llamaindex/core/global";
import type { MessageContentDetail } from "@llamaindex/core/llms";
import type { BaseNode } from "@llamaindex/core/schema";
import {
  BaseVectorStore,
  type MetadataFilters,
  type VectorStoreQuery,
  VectorStoreQueryMode,
  type VectorStoreQueryResult,
} from "@llamaindex/core/vector-store";
import {
  type Budget,
  type CallOptions,
  InvalidArgumentError,
  type RetrieveOptions,
  type StoredPassage,
  type TriGraph,
  checkNames,
  show,
} from "@trigraph/core";
import { toPredicate } from "./filters.js";
import { NodeIndex } from "./node-index.js";
import type { NodeOptions } from "./options.js";
import { refDocIdOf, toNode } from "./passages.js";

export interface TriGraphVectorStoreOptions extends NodeOptions {
  readonly index: TriGraph;
  /** What a `VectorStoreIndex` embeds nodes with. Default: `Settings.embedModel`, when it is first needed. */
  readonly embedModel?: BaseEmbedding | undefined;
}

/** What a query may have as its `customParams`. */
export type TriGraphQueryParams = Budget;

/**
 * A vector store that ranks over the graph, for LlamaIndex's `IngestionPipeline` and `VectorStoreIndex`. It keeps
 * vectors, texts, metadata and relationships, and answers from the question's words and entities as well as from its
 * vector.
 */
export class TriGraphVectorStore extends BaseVectorStore<TriGraph, TriGraphQueryParams> {
  storesText = true;
  private readonly nodes: NodeIndex;

  constructor(options: TriGraphVectorStoreOptions) {
    checkNames("TriGraphVectorStore", options, ["index", "embedModel", "titleKey"]);
    // The base class asks Settings at once for what a pipeline with its own embedding never needs.
    super({ embedModel: options.embedModel ?? new SettingsEmbedding() });
    this.nodes = new NodeIndex(options.index, { titleKey: options.titleKey }, undefined);
  }

  /** The core's index, which LlamaIndex knows nothing of. */
  client(): TriGraph {
    return this.nodes.index;
  }

  /** Adds nodes with their embeddings, or replaces those whose ids exist. Returns their ids. */
  async add(nodes: BaseNode[]): Promise<string[]> {
    await this.nodes.insert("add", nodes);
    return nodes.map(({ id_ }) => id_);
  }

  /** Removes all nodes of a document; of one that is not there none. */
  async delete(refDocId: string, options: CallOptions = {}): Promise<void> {
    checkNames("delete", options, ["signal"]);
    await this.nodes.deleteDocument(refDocId, options);
  }

  /**
   * The `similarityTopK` best nodes by graph, words and vector; by the vector alone where the query has no text. In
   * the mode `"sparse"` the vector is left out. `docIds` are ids of documents or of nodes.
   *
   * @throws InvalidArgumentError on another mode than `"default"`, `"hybrid"` and `"sparse"`, on `alpha`, and on
   * filters that are not supported; the signal's reason
   */
  async query(
    query: VectorStoreQuery<TriGraphQueryParams>,
    options: CallOptions = {},
  ): Promise<VectorStoreQueryResult> {
    checkNames("query", options, ["signal"]);
    const { queryStr = "", queryEmbedding, similarityTopK, mode, alpha, docIds, filters, customParams = {} } = query;
    checkMode(mode);
    if (alpha !== undefined) {
      throw new InvalidArgumentError(
        `query: expected no alpha, got ${show(alpha)}. Words and vectors count alike: see the index's ranking options.`,
      );
    }
    checkNames("query: customParams", customParams, ["minScore", "maxTokens", "countTokens"]);
    const filter = visibility(filters, docIds);
    const isSparse = mode === VectorStoreQueryMode.SPARSE;
    const hits = await this.find(queryStr, isSparse ? undefined : queryEmbedding, {
      k: similarityTopK,
      filter,
      signal: options.signal,
      ...customParams,
    });
    return {
      nodes: hits.map(({ passage }) => toNode(passage, this.nodes.options)),
      similarities: hits.map(({ score }) => score),
      ids: hits.map(({ passage }) => passage.id),
    };
  }

  private find(text: string, vector: readonly number[] | undefined, options: RetrieveOptions) {
    const { index } = this.nodes;
    if (text.trim() !== "" || vector === undefined) return index.retrieve(text, { ...options, vector });
    const { k, filter, signal, ...budget } = options;
    checkNames("query: customParams of a query without text", budget, []);
    return index.nearest(vector, { k, filter, signal });
  }
}

const MODES = [VectorStoreQueryMode.DEFAULT, VectorStoreQueryMode.HYBRID, VectorStoreQueryMode.SPARSE];

function checkMode(mode: VectorStoreQueryMode): void {
  if (MODES.includes(mode)) return;
  throw new InvalidArgumentError(`query: expected the mode ${MODES.join(", ")}, got ${show(mode)}.`);
}

function visibility(
  filters: MetadataFilters | undefined,
  docIds: readonly string[] | undefined,
): ((passage: StoredPassage) => boolean) | undefined {
  const passes = filters && toPredicate("query: filters", filters);
  if (docIds === undefined) return passes;
  const wanted = new Set(docIds);
  return (passage) =>
    (wanted.has(passage.id) || wanted.has(refDocIdOf(passage))) && (passes === undefined || passes(passage));
}

/** `Settings.embedModel`, looked up at each use; asynchronous, so that a model that is missing rejects. */
class SettingsEmbedding extends BaseEmbedding {
  constructor() {
    super();
    this.getTextEmbeddings = async (texts) => Settings.embedModel.getTextEmbeddingsBatch(texts);
  }

  async getTextEmbedding(text: string): Promise<number[]> {
    return Settings.embedModel.getTextEmbedding(text);
  }

  override async getQueryEmbedding(query: MessageContentDetail): Promise<number[] | null> {
    return Settings.embedModel.getQueryEmbedding(query);
  }
}
