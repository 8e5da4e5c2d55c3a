import { BaseEmbedding } from "@llamaindex/core/embeddings";

/** A model for components that want one and must not use it. */
export class NoEmbedding extends BaseEmbedding {
  constructor() {
    super();
  }

  getTextEmbedding(text: string): Promise<number[]> {
    return Promise.reject(new Error(`nothing should be embedded, but "${text}" was`));
  }
}
