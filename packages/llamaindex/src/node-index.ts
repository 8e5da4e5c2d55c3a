import { type BaseNode, MetadataMode } from "@llamaindex/core/schema";
import type { DeleteReport, Embedder, Passage, TriGraph, UpsertReport } from "@trigraph/core";
import { attempt } from "./embedder.js";
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
  readonly embedder: Embedder | undefined;
  private readonly refDocs: RefDocs;

  constructor(index: TriGraph, options: NodeOptions, embedder: Embedder | undefined) {
    this.index = index;
    this.options = options;
    this.embedder = embedder;
    this.refDocs = RefDocs.of(index);
  }

  /** Adds nodes, or replaces those whose ids exist. All or none. */
  insert(method: string, nodes: readonly BaseNode[]): Promise<UpsertReport> {
    return this.refDocs.exclusively(() => this.upsert(method, nodes));
  }

  /**
   * Adds the nodes of documents, then removes what was left of earlier versions of these documents. Should the second
   * fail, old nodes stay beside the new ones, and the same call again removes them.
   */
  insertDocuments(method: string, nodes: readonly BaseNode[], refDocIds: Iterable<string>): Promise<UpsertReport> {
    return this.refDocs.exclusively(async () => {
      const old = [...refDocIds].flatMap((refDocId) => this.refDocs.idsOf(refDocId));
      const report = await this.upsert(method, nodes);
      const current = new Set(nodes.map(({ id_ }) => id_));
      await this.refDocs.delete(old.filter((id) => !current.has(id)));
      return report;
    });
  }

  /** Removes all nodes of a document; of one that is not there none. */
  deleteDocument(refDocId: string): Promise<DeleteReport> {
    return this.refDocs.exclusively(() => this.refDocs.delete(this.refDocs.idsOf(refDocId)));
  }

  /** Resolves when the writes that were begun have ended. */
  settled(): Promise<void> {
    return this.refDocs.exclusively(async () => undefined);
  }

  private async upsert(method: string, nodes: readonly BaseNode[]): Promise<UpsertReport> {
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
    const report = await this.refDocs.upsert(await this.withVectors(method, changed));
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
  private async withVectors(method: string, nodes: readonly NewNode[]): Promise<Passage[]> {
    const { embedder } = this;
    const vectors = nodes.map(({ node }) => node.embedding ?? (embedder && this.storedVector(node)));
    if (embedder !== undefined) {
      const missing = [...nodes.keys()].filter((i) => vectors[i] === undefined);
      const texts = missing.map((i) => nodes[i].node.getContent(MetadataMode.EMBED));
      const made = texts.length === 0 ? [] : await attempt(method, () => embedder.embedPassages(texts));
      missing.forEach((i, n) => (vectors[i] = made[n] as number[]));
    }
    return nodes.map(({ passage }, i) => {
      const vector = vectors[i];
      return vector === undefined ? passage : { ...passage, vector };
    });
  }

  /** The vector of the node's earlier version, where that was embedded as the same text. */
  private storedVector(node: BaseNode): Float32Array | undefined {
    const stored = this.index.get(node.id_);
    if (stored === undefined) return undefined;
    const isSameText =
      toNode(stored, this.options).getContent(MetadataMode.EMBED) === node.getContent(MetadataMode.EMBED);
    return isSameText ? this.index.vectorOf(node.id_) : undefined;
  }
}
