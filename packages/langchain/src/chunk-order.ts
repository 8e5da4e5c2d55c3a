/** Which passages are chunks of one document, and in which order. */
import type { Neighbours, StoredPassage, TriGraph } from "@trigraph/core";
import { documentOf, positionOf, type DocumentKeys } from "./documents.js";

/** The chunks of one document. */
interface Chunks {
  /** By id, ascending. */
  readonly positions: Map<string, number>;
  /** The position of the next one. */
  next: number;
}

/**
 * The chunks of each document in the order of addition. A chunk that is replaced keeps its place. Passages that were
 * put into the index by other means than this package come last, in the order of the index.
 */
export class ChunkOrder {
  private readonly documents = new Map<string | number, Chunks>();

  private constructor(
    private readonly index: TriGraph,
    private readonly keys: DocumentKeys,
  ) {}

  /** Reads the whole index, once. */
  static read(index: TriGraph, keys: DocumentKeys): ChunkOrder {
    const order = new ChunkOrder(index, keys);
    const chunks: { passage: StoredPassage; position: number }[] = [];
    for (const passage of index.passages()) {
      if (documentOf(passage, keys) !== undefined) chunks.push({ passage, position: positionOf(passage) ?? Infinity });
    }
    // Infinity minus itself is no number: passages without a position keep their order.
    chunks.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position));
    for (const { passage, position } of chunks) order.place(passage, position);
    return order;
  }

  /** The passage's place in its document, a new one at the end if it has none; undefined when it is of no document. */
  place(passage: StoredPassage, wanted = Infinity): number | undefined {
    const document = documentOf(passage, this.keys);
    if (document === undefined) return undefined;
    const chunks = this.documents.get(document) ?? { positions: new Map<string, number>(), next: 0 };
    this.documents.set(document, chunks);
    const known = chunks.positions.get(passage.id);
    if (known !== undefined) return known;
    const position = wanted < Infinity ? wanted : chunks.next;
    chunks.positions.set(passage.id, position);
    chunks.next = position + 1;
    return position;
  }

  /** Forgets a passage that was deleted. */
  remove(passage: StoredPassage): void {
    const document = documentOf(passage, this.keys);
    if (document !== undefined) this.documents.get(document)?.positions.delete(passage.id);
  }

  /** Up to `reach` chunks on each side. */
  around(passage: StoredPassage, reach: number): Neighbours {
    const document = documentOf(passage, this.keys);
    const ids = document === undefined ? [] : [...(this.documents.get(document)?.positions.keys() ?? [])];
    // A chunk may have been deleted, or moved to another document, without this package.
    const chunks = ids
      .map((id) => this.index.get(id))
      .filter((chunk) => chunk !== undefined && documentOf(chunk, this.keys) === document) as StoredPassage[];
    const at = chunks.findIndex(({ id }) => id === passage.id);
    if (at < 0) return { before: [], after: [] };
    const before = chunks.slice(Math.max(0, at - reach), at).reverse();
    return { before, after: chunks.slice(at + 1, at + 1 + reach) };
  }
}
