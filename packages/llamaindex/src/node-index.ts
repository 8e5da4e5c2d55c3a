import { type BaseNode, MetadataMode } from "@llamaindex/core/schema";
import {
  type CallOptions,
  type DeleteReport,
  EmbeddingError,
  type LongCallOptions,
  type Passage,
  type StoredPassage,
  type TriGraph,
  type UpsertReport,
  embeddedText,
} from "@trigraph/core";
import { EMBED_BATCH } from "./defaults.js";
import { attempt, type NodeEmbedder } from "./embedder.js";
import type { NodeOptions } from "./options.js";
import { toNode, toPassage } from "./passages.js";
import { RefDocs } from "./ref-docs.js";

interface NewNode {
  readonly node: BaseNode;
  readonly passage: Passage;
}

/** An index of passages, written to in nodes and documents. */
export class NodeIndex {
  readonly index: TriGraph;
  readonly options: NodeOptions;
  readonly embedder: NodeEmbedder | undefined;
  private readonly refDocs: RefDocs;

  constructor(index: TriGraph, options: NodeOptions, embedder: NodeEmbedder | undefined) {
    this.index = index;
    this.options = options;
    this.embedder = embedder;
    this.refDocs = RefDocs.of(index);
  }

  /** Adds nodes, or replaces those whose ids exist. All or none. */
  insert(method: string, nodes: readonly BaseNode[], options: LongCallOptions = {}): Promise<UpsertReport> {
    return this.refDocs.exclusively(() => this.upsert(method, nodes, options), options.signal);
  }

  /**
   * Adds the nodes of documents, then removes what was left of earlier versions of these documents. Should the second
   * fail, old nodes stay beside the new ones, and the same call again removes them.
   */
  insertDocuments(
    method: string,
    nodes: readonly BaseNode[],
    refDocIds: Iterable<string>,
    options: LongCallOptions,
  ): Promise<UpsertReport> {
    return this.refDocs.exclusively(async () => {
      const old = [...refDocIds].flatMap((refDocId) => this.refDocs.idsOf(refDocId));
      const report = await this.upsert(method, nodes, options);
      const current = new Set(nodes.map(({ id_ }) => id_));
      // Without the signal: what was begun to be replaced is replaced.
      await this.refDocs.delete(old.filter((id) => !current.has(id)));
      return report;
    }, options.signal);
  }

  /** Removes all nodes of a document; of one that is not there none. */
  deleteDocument(refDocId: string, options: CallOptions = {}): Promise<DeleteReport> {
    return this.refDocs.exclusively(() => this.refDocs.delete(this.refDocs.idsOf(refDocId), options), options.signal);
  }

  /** Resolves when the writes that were begun have ended. */
  settled(): Promise<void> {
    return this.refDocs.exclusively(async () => undefined);
  }

  private async upsert(method: string, nodes: readonly BaseNode[], options: LongCallOptions): Promise<UpsertReport> {
    // The last of several nodes with one id counts, for the core as for what is embedded.
    const latest = new Map<string, NewNode>();
    const duplicates = new Set<string>();
    for (const node of nodes) {
      const passage = toPassage(method, node, this.options);
      if (latest.has(passage.id)) duplicates.add(passage.id);
      latest.set(passage.id, { node, passage });
    }
    const all = [...latest.values()];
    // A node that brings its own embedding is left to the core, which compares vectors as well.
    const changed = all.filter(({ node, passage }) => node.embedding !== undefined || !this.holds(passage));
    const report = await this.refDocs.upsert(await this.withVectors(method, changed, options), options);
    return { ...report, unchanged: report.unchanged + all.length - changed.length, duplicates: [...duplicates] };
  }

  private holds({ id, text, title, metadata }: Passage): boolean {
    const stored = this.index.get(id);
    return (
      stored !== undefined &&
      JSON.stringify([stored.text, stored.title, stored.metadata]) === JSON.stringify([text, title, metadata])
    );
  }

  /** The passages with their nodes' embeddings, with those the index has of the same texts, or with new ones. */
  private async withVectors(method: string, nodes: readonly NewNode[], options: LongCallOptions): Promise<Passage[]> {
    const { embedder } = this;
    const vectors: (ArrayLike<number> | undefined)[] = nodes.map(
      ({ node, passage }) => node.embedding ?? (embedder && this.storedVector(node, passage, embedder)),
    );
    if (embedder !== undefined) {
      const missing = [...nodes.keys()].filter((i) => vectors[i] === undefined);
      const texts = missing.map((i) => textOf(nodes[i].node, nodes[i].passage, embedder));
      const made = await embedAll(method, texts, embedder, options);
      missing.forEach((i, n) => (vectors[i] = made[n]));
    }
    return nodes.map(({ passage }, i) => {
      const vector = vectors[i];
      return vector === undefined ? passage : { ...passage, vector };
    });
  }

  /** The vector of the node's earlier version, where that was embedded as the same text. */
  private storedVector(node: BaseNode, passage: Passage, embedder: NodeEmbedder): Float32Array | undefined {
    const stored = this.index.get(node.id_);
    if (stored === undefined) return undefined;
    const isSameText = textOf(toNode(stored, this.options), stored, embedder) === textOf(node, passage, embedder);
    return isSameText ? this.index.vectorOf(node.id_) : undefined;
  }
}

function textOf(node: BaseNode, passage: StoredPassage, { embedText }: NodeEmbedder): string {
  return embedText === "node" ? node.getContent(MetadataMode.EMBED) : embeddedText(passage);
}

/** The texts' vectors, batch by batch: each tells of its progress, and heeds the signal. */
async function embedAll(
  method: string,
  texts: readonly string[],
  embedder: NodeEmbedder,
  { signal, onProgress }: LongCallOptions,
): Promise<ArrayLike<number>[]> {
  const made: ArrayLike<number>[] = [];
  while (made.length < texts.length) {
    const batch = texts.slice(made.length, made.length + EMBED_BATCH);
    const vectors = await attempt(method, signal, () => embedder.embedPassages(batch));
    if (vectors.length !== batch.length) {
      throw new EmbeddingError(
        `${method}: expected the embedding model to return ${batch.length} vectors, got ${vectors.length}.`,
      );
    }
    made.push(...vectors);
    onProgress?.({ phase: "embed", done: made.length, total: texts.length });
  }
  return made;
}
