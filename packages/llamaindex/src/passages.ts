/**
 * Nodes as passages and back. A passage's text is the node's text, its metadata the node's metadata, flat, so that the
 * core's own filters work on it. What else a node has stands under `NODE_KEY`.
 */
import {
  type BaseNode,
  Document,
  IndexNode,
  type Metadata,
  MetadataMode,
  NodeRelationship,
  ObjectType,
  type RelatedNodeType,
  TextNode,
} from "@llamaindex/core/schema";
import { InvalidArgumentError, type Passage, type StoredPassage, show, withoutUndefined } from "@trigraph/core";
import { DEFAULT_TITLE_KEY } from "./defaults.js";
import type { NodeOptions } from "./options.js";

/** Key of the metadata under which a passage keeps what makes a node of it. */
const NODE_KEY = "_node";

const TYPES = [ObjectType.TEXT, ObjectType.INDEX, ObjectType.DOCUMENT] as const;
type TextType = (typeof TYPES)[number];

type Relationships = Partial<Record<NodeRelationship, RelatedNodeType>>;

/** What a node has beyond id, text and metadata. Absent fields have LlamaIndex's defaults. */
interface NodeRecord {
  readonly type: TextType;
  /** The node's text where it differs from its content, which LlamaIndex trims. */
  readonly text?: string | undefined;
  readonly relationships?: Relationships | undefined;
  readonly excludedEmbedMetadataKeys?: string[] | undefined;
  readonly excludedLlmMetadataKeys?: string[] | undefined;
  readonly textTemplate?: string | undefined;
  readonly metadataSeparator?: string | undefined;
  readonly startCharIdx?: number | undefined;
  readonly endCharIdx?: number | undefined;
  readonly indexId?: string | undefined;
}

/**
 * The node as a passage. The node is only read, never asked for its hash, which it would keep from then on.
 *
 * @throws InvalidArgumentError for a node of another type than text, index or document, for a title that is no string,
 * and for metadata under `NODE_KEY`
 */
export function toPassage(method: string, node: BaseNode, { titleKey }: NodeOptions): Passage {
  const where = `${method}: node ${show(node.id_)}`;
  if (!isTextNode(node)) {
    throw new InvalidArgumentError(
      `${where}: expected a node of type ${TYPES.join(", ")}, got ${show(node.type)}. Leave it out, or make a text of it.`,
    );
  }
  const { metadata } = node;
  if (Object.hasOwn(metadata, NODE_KEY)) {
    throw new InvalidArgumentError(`${where}: expected no metadata ${show(NODE_KEY)}, which is used here. Rename it.`);
  }
  const text = node.getContent(MetadataMode.NONE);
  const record: NodeRecord = {
    type: node.type,
    text: node.text === text ? undefined : node.text,
    relationships: node.relationships,
    excludedEmbedMetadataKeys: orUndefined(node.excludedEmbedMetadataKeys),
    excludedLlmMetadataKeys: orUndefined(node.excludedLlmMetadataKeys),
    textTemplate: node.textTemplate === "" ? undefined : node.textTemplate,
    metadataSeparator: node.metadataSeparator === "\n" ? undefined : node.metadataSeparator,
    startCharIdx: node.startCharIdx,
    endCharIdx: node.endCharIdx,
    indexId: node.indexId,
  };
  const title = titleOf(where, metadata, titleKey);
  return {
    id: node.id_,
    text,
    ...(title === undefined ? {} : { title }),
    metadata: withoutUndefined({ ...metadata, [NODE_KEY]: record }) as NonNullable<Passage["metadata"]>,
  };
}

/**
 * A node as it was when it was inserted, without its embedding; new at each call. A passage that was not written here
 * becomes a text node, its title the metadata `titleKey`.
 */
export function toNode(passage: StoredPassage, { titleKey = DEFAULT_TITLE_KEY }: NodeOptions): TextNode {
  const { id, text, title } = passage;
  const { record, metadata } = split(passage);
  if (record === undefined) {
    const titled = title === undefined || titleKey === false ? {} : { [titleKey]: title };
    return new TextNode({ id_: id, text, metadata: { ...titled, ...metadata } });
  }
  const node = construct(record, { ...record, id_: id, text: record.text ?? text, metadata });
  // The constructor takes an index of 0 for none.
  if (record.startCharIdx !== undefined) node.startCharIdx = record.startCharIdx;
  if (record.endCharIdx !== undefined) node.endCharIdx = record.endCharIdx;
  return node;
}

/**
 * Id of the document that the passage is part of: its source node's, or what a store that lost the relationship left
 * in the metadata, or the passage's own.
 */
export function refDocIdOf(passage: StoredPassage): string {
  const { record, metadata } = split(passage);
  const [source] = related(record?.relationships, NodeRelationship.SOURCE);
  if (source !== undefined) return source;
  // LlamaIndex's stores write "None" where there is no document.
  const named = [metadata.ref_doc_id, metadata.doc_id] as unknown[];
  return named.find((id): id is string => typeof id === "string" && id !== "None") ?? passage.id;
}

/** Ids of the nodes before or after the passage's. */
export function neighbourIds(
  passage: StoredPassage,
  relationship: NodeRelationship.PREVIOUS | NodeRelationship.NEXT,
): string[] {
  return related(split(passage).record?.relationships, relationship);
}

/** The passage's metadata as its node has it. */
export function metadataOf(passage: StoredPassage): Metadata {
  return split(passage).metadata;
}

function related(relationships: Relationships | undefined, relationship: NodeRelationship): string[] {
  const nodes = relationships?.[relationship];
  return nodes === undefined ? [] : [nodes].flat().map(({ nodeId }) => nodeId);
}

/** An index may hold passages that were not written here, whatever they keep under `NODE_KEY`. */
function split({ metadata = {} }: StoredPassage): { record: NodeRecord | undefined; metadata: Metadata } {
  const { [NODE_KEY]: record, ...rest } = metadata;
  return isNodeRecord(record) ? { record, metadata: rest } : { record: undefined, metadata: { ...metadata } };
}

function isNodeRecord(value: unknown): value is NodeRecord {
  return (
    typeof value === "object" && value !== null && (TYPES as readonly unknown[]).includes((value as NodeRecord).type)
  );
}

/** A text node of any kind. By its type: of another copy of LlamaIndex it is no instance of this one's classes. */
function isTextNode(node: BaseNode): node is TextNode & { type: TextType; indexId?: string } {
  return (TYPES as readonly unknown[]).includes(node.type);
}

function construct({ type, indexId }: NodeRecord, init: ConstructorParameters<typeof TextNode>[0]): TextNode {
  if (type === ObjectType.INDEX) return new IndexNode({ ...init, indexId: indexId ?? "" });
  return type === ObjectType.DOCUMENT ? new Document(init) : new TextNode(init);
}

function titleOf(
  where: string,
  metadata: Metadata,
  titleKey: NodeOptions["titleKey"] = DEFAULT_TITLE_KEY,
): string | undefined {
  if (titleKey === false || !Object.hasOwn(metadata, titleKey)) return undefined;
  const title: unknown = metadata[titleKey];
  if (title === undefined || title === null) return undefined;
  if (typeof title === "string") return title.trim() === "" ? undefined : title;
  throw new InvalidArgumentError(
    `${where}: expected the metadata ${show(titleKey)}, its title, to be a string, got ${show(title)}. ` +
      "Name another key as titleKey, or false for none.",
  );
}

function orUndefined(keys: string[]): string[] | undefined {
  return keys.length === 0 ? undefined : keys;
}
