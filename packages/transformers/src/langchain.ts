/** The same models in LangChain's terms. */
import type { Callbacks } from "@langchain/core/callbacks/manager";
import { Document, type DocumentInterface } from "@langchain/core/documents";
import { Embeddings } from "@langchain/core/embeddings";
import { BaseDocumentCompressor } from "@langchain/core/retrievers/document_compressors";
import { checkNames, embeddedText } from "@trigraph/core";
import { DEFAULT_SCORE_KEY, DEFAULT_TITLE_KEY } from "./defaults.js";
import { TransformersEmbedder, type TransformersEmbedderOptions } from "./embedder.js";
import { checkCount, checkKind, MODEL_OPTIONS, type ModelOptions } from "./options.js";
import { bestFirst, CrossEncoderReranker } from "./reranker.js";

/** `TransformersEmbedder` as LangChain's embeddings. Errors are its own. */
export class TransformersEmbeddings extends Embeddings {
  /** To load it, abort it, or dispose of it. */
  readonly embedder: TransformersEmbedder;
  /** Names the model and its settings. */
  readonly model: string;

  constructor(options: TransformersEmbedderOptions) {
    // Nothing here is tried again: what fails in the process fails twice.
    super({ maxRetries: 0 });
    this.embedder = new TransformersEmbedder(options);
    this.model = this.embedder.id;
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    const vectors = await this.embedder.embedPassages(documents);
    return vectors.map((vector) => Array.from(vector));
  }

  async embedQuery(document: string): Promise<number[]> {
    return Array.from(await this.embedder.embedQuery(document));
  }
}

export interface CrossEncoderCompressorOptions extends ModelOptions {
  /** How many documents to return at most; at least 1. Default: all. */
  readonly topN?: number | undefined;
  /** Metadata that is read before the text, where it is a string. Default `"title"`; null for none. */
  readonly titleKey?: string | null | undefined;
  /** Metadata that gets the model's score. Default `"relevanceScore"`. */
  readonly scoreKey?: string | undefined;
}

/** `CrossEncoderReranker` for a `ContextualCompressionRetriever`: documents by the model's score, best first. */
export class CrossEncoderCompressor extends BaseDocumentCompressor {
  /** To load it, or to dispose of it. */
  readonly reranker: CrossEncoderReranker;
  readonly #options: CrossEncoderCompressorOptions;

  constructor(options: CrossEncoderCompressorOptions) {
    super();
    const method = "CrossEncoderCompressor";
    checkNames(method, options, [...MODEL_OPTIONS, "topN", "titleKey", "scoreKey"]);
    const { topN, titleKey, scoreKey: _, ...model } = options;
    checkCount(method, "topN", topN);
    if (titleKey !== null) checkKind(method, options, "titleKey", "string");
    checkKind(method, options, "scoreKey", "string");
    this.reranker = new CrossEncoderReranker(model);
    this.#options = options;
  }

  /** New documents, their score in the metadata. */
  async compressDocuments(
    documents: DocumentInterface[],
    query: string,
    _callbacks?: Callbacks,
  ): Promise<DocumentInterface[]> {
    const { titleKey = DEFAULT_TITLE_KEY, scoreKey = DEFAULT_SCORE_KEY, topN } = this.#options;
    const texts = documents.map(({ pageContent, metadata }) => {
      const title: unknown = titleKey === null ? undefined : metadata[titleKey];
      return embeddedText({ title: typeof title === "string" ? title : undefined, text: pageContent });
    });
    const scores = await this.reranker.scores(query, texts);
    return bestFirst(documents, scores)
      .slice(0, topN)
      .map(({ item, score }) => new Document({ ...item, metadata: { ...item.metadata, [scoreKey]: score } }));
  }
}
