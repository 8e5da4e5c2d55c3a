import type { Document } from "@langchain/core/documents";

/** The documents that an agent has been shown, numbered over all its searches: a document keeps its number. */
export class Sources {
  readonly documents: Document[] = [];
  readonly #numbers = new Map<string, number>();

  /** What the model reads of the documents that a search found; those not shown before get the next numbers. */
  readonly show = (found: readonly Document[]): string => found.map((document) => this.#show(document)).join("\n\n");

  #show(document: Document): string {
    const { pageContent, metadata } = document;
    const id = document.id!;
    if (!this.#numbers.has(id)) this.#numbers.set(id, this.documents.push(document));
    return `[${this.#numbers.get(id)}] ${metadata.title as string}: ${pageContent}`;
  }
}
