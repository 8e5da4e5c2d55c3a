/** Between LangChain's documents and the core's passages. */
import { Document, type DocumentInterface } from "@langchain/core/documents";
import { sha256 } from "@langchain/core/utils/hash";
import {
  InvalidArgumentError,
  type JsonValue,
  type Metadata,
  type Passage,
  type StoredPassage,
  show,
  withoutUndefined,
} from "@trigraph/core";

/**
 * Metadata that a passage carries for this package alone: its place among the chunks of its document. Kept in the
 * index, so that it outlives merges, replacements and reloading; no document and no filter sees it.
 */
const POSITION_KEY = "trigraph:position";

/** How documents become passages. */
export interface DocumentKeys {
  /** Metadata that is the passage's title when it is a string that is not blank; null for none. */
  readonly title: string | null;
  /** Metadata that tells chunks of one document: a string or number. */
  readonly document: string;
}

/** @throws InvalidArgumentError when it is no document, or has metadata of this package's own name */
export function checkedDocument(method: string, value: unknown): DocumentInterface {
  if (typeof value !== "object" || value === null || !("pageContent" in value)) {
    throw new InvalidArgumentError(`${method}: expected documents { pageContent, metadata }, got ${show(value)}.`);
  }
  const document = value as DocumentInterface;
  if (Object.hasOwn(document.metadata ?? {}, POSITION_KEY)) {
    throw new InvalidArgumentError(
      `${method}: expected metadata without ${show(POSITION_KEY)}, which this package keeps for itself. Rename it.`,
    );
  }
  return document;
}

/**
 * The document's own id, or one derived of its content: adding the same again then changes nothing.
 *
 * @throws InvalidArgumentError when it has no id, and metadata that is no JSON
 */
export function idOf(method: string, document: DocumentInterface): string {
  if (document.id !== undefined) return document.id;
  try {
    const { pageContent, metadata } = document;
    return sha256(JSON.stringify([pageContent, metadata])) as string;
  } catch (error) {
    throw new InvalidArgumentError(
      `${method}: expected the metadata to be JSON, got ${String(error)}. Convert it, or leave it out.`,
      { cause: error },
    );
  }
}

/** The passage of a document. Members of its metadata that are undefined are left out, as JSON does. */
export function toPassage(
  document: DocumentInterface,
  id: string,
  keys: DocumentKeys,
): Passage & { metadata: Metadata } {
  const metadata = withoutUndefined(document.metadata ?? {}) as Metadata;
  const title = keys.title === null ? undefined : metadata[keys.title];
  return {
    id,
    text: document.pageContent,
    ...(typeof title === "string" && title.trim() !== "" ? { title } : {}),
    metadata,
  };
}

/** A fresh document: what its owner does to it reaches nobody else. */
export function toDocument({ id, text, metadata = {} }: StoredPassage): Document {
  const { [POSITION_KEY]: _, ...own } = metadata;
  return new Document({ id, pageContent: text, metadata: own });
}

/** Which document the passage is a chunk of, or undefined. */
export function documentOf({ metadata }: StoredPassage, keys: DocumentKeys): string | number | undefined {
  const value = metadata !== undefined && Object.hasOwn(metadata, keys.document) ? metadata[keys.document] : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

export function positionOf({ metadata }: StoredPassage): number | undefined {
  const value: JsonValue | undefined = metadata?.[POSITION_KEY];
  return typeof value === "number" ? value : undefined;
}

export function withPosition<P extends Passage>(passage: P, position: number): P {
  return { ...passage, metadata: { ...passage.metadata, [POSITION_KEY]: position } };
}
