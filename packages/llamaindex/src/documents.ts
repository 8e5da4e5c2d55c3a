/** Documents as nodes whose ids say what they are: the same documents give the same ids, on every machine. */
import { NodeParser } from "@llamaindex/core/node-parser";
import {
  type Document,
  MetadataMode,
  NodeRelationship,
  type RelatedNodeInfo,
  type TextNode,
  buildNodeFromSplits,
} from "@llamaindex/core/schema";
import { createSHA256 } from "@llamaindex/env";
import { InvalidArgumentError, show } from "@trigraph/core";

/** How documents become nodes. */
export interface DocumentOptions {
  /**
   * Cuts documents into nodes, as in `Settings.nodeParser` or `new SentenceSplitter({ chunkSize: 256 })`. Passages of a
   * paragraph or so serve best. Default: none, each document is one node.
   */
  readonly nodeParser?: NodeParser<TextNode[]> | NodeParser<Promise<TextNode[]>> | undefined;
  /**
   * The id by which a document is replaced and deleted. LlamaIndex gives documents random ids unless they are told
   * one: for those `contentId` makes an id of what the document says. Default: the document's own id.
   */
  readonly documentId?: ((document: Document) => string) | undefined;
}

export const DOCUMENT_OPTIONS = ["nodeParser", "documentId"];

/** Characters of a hash in an id: 128 bits. */
const HASH_CHARACTERS = 22;

/** Documents as they are: a node of each. */
class WholeDocuments extends NodeParser<TextNode[]> {
  protected override parseNodes(documents: TextNode[]): TextNode[] {
    return documents.flatMap((document) => buildNodeFromSplits([document.text], document));
  }
}

/** An id made of the document's text and metadata: the same for the same document, however often it is loaded. */
export function contentId(document: Document): string {
  const metadata = Object.entries(document.metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash(JSON.stringify([document.text, metadata]));
}

/**
 * The documents' nodes. A node's id is made of its document's id, its text, and which of the document's nodes with this
 * text it is; relationships between nodes follow. So a node stays itself when others of its document change, and other
 * indexes of the same nodes (a `denseRetriever`) agree on ids. Nodes without any text are left out.
 *
 * @throws InvalidArgumentError when `documentId` returns no id
 */
export async function nodesFromDocuments(
  documents: readonly Document[],
  options: DocumentOptions = {},
): Promise<TextNode[]> {
  const { nodeParser = new WholeDocuments() } = options;
  const parsed = await nodeParser.getNodesFromDocuments([...documents]);
  const nodes = parsed.filter((node) => node.getContent(MetadataMode.NONE).trim() !== "");
  const documentIds = new Map(documents.map((document) => [document.id_, documentIdOf(document, options)]));
  const ids = new Map(documentIds);
  const occurrences = new Map<string, number>();
  for (const node of nodes) {
    const document = documentIds.get(node.sourceNode?.nodeId ?? "");
    if (document === undefined) continue;
    const base = `${document}:${hash(node.getContent(MetadataMode.NONE))}`;
    const nth = occurrences.get(base) ?? 0;
    occurrences.set(base, nth + 1);
    ids.set(node.id_, nth === 0 ? base : `${base}:${nth}`);
  }
  return nodes.map((node) => withIds(node, ids));
}

/** The ids by which these documents are replaced and deleted. */
export function documentIdsOf(documents: readonly Document[], options: DocumentOptions): Set<string> {
  return new Set(documents.map((document) => documentIdOf(document, options)));
}

function documentIdOf(document: Document, { documentId = ({ id_ }) => id_ }: DocumentOptions): string {
  const id: unknown = documentId(document);
  if (typeof id === "string" && id !== "") return id;
  throw new InvalidArgumentError(`documentId: expected a string of at least one character, got ${show(id)}.`);
}

/** A copy of the node with its own id and those of related nodes replaced. */
function withIds(node: TextNode, ids: ReadonlyMap<string, string>): TextNode {
  const rename = (info: RelatedNodeInfo): RelatedNodeInfo => ({ ...info, nodeId: ids.get(info.nodeId) ?? info.nodeId });
  const copy = node.clone() as TextNode;
  copy.id_ = ids.get(node.id_) ?? node.id_;
  for (const key of Object.keys(copy.relationships) as NodeRelationship[]) {
    const related = copy.relationships[key];
    if (related !== undefined) copy.relationships[key] = Array.isArray(related) ? related.map(rename) : rename(related);
  }
  // A clone loses an index of 0.
  if (node.startCharIdx !== undefined) copy.startCharIdx = node.startCharIdx;
  return copy;
}

function hash(text: string): string {
  const sha256 = createSHA256();
  sha256.update(text);
  return sha256.digest().slice(0, HASH_CHARACTERS);
}
