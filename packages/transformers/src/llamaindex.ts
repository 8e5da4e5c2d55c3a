/** The same models in LlamaIndex's terms. */
import { BaseEmbedding } from "@llamaindex/core/embeddings";
import type { MessageContent, MessageContentDetail } from "@llamaindex/core/llms";
import type { BaseNodePostprocessor } from "@llamaindex/core/postprocessor";
import { MetadataMode, type NodeWithScore } from "@llamaindex/core/schema";
import { extractSingleText, extractText } from "@llamaindex/core/utils";
import { checkNames, embeddedText, InvalidArgumentError } from "@trigraph/core";
import { DEFAULT_TITLE_KEY } from "./defaults.js";
import { TransformersEmbedder, type TransformersEmbedderOptions } from "./embedder.js";
import { checkCount, checkKind, MODEL_OPTIONS, type ModelOptions } from "./options.js";
import { bestFirst, CrossEncoderReranker } from "./reranker.js";

/** `TransformersEmbedder` as LlamaIndex's embedding model. Errors are its own. */
export class TransformersEmbedding extends BaseEmbedding {
  /** To load it, abort it, or dispose of it. */
  readonly embedder: TransformersEmbedder;
  /** Names the model and its settings. */
  readonly model: string;

  constructor(options: TransformersEmbedderOptions) {
    super();
    this.embedder = new TransformersEmbedder(options);
    this.model = this.embedder.id;
  }

  /** The vector of one text, as a passage. */
  async getTextEmbedding(text: string): Promise<number[]> {
    const [vector] = await this.embedder.embedPassages([text]);
    return Array.from(vector);
  }

  /** The vectors of texts, as passages, in their order. */
  override getTextEmbeddings = async (texts: string[]): Promise<number[][]> => {
    const vectors = await this.embedder.embedPassages(texts);
    return vectors.map((vector) => Array.from(vector));
  };

  /** Null, as LlamaIndex's own models return it, for what is no text. */
  override async getQueryEmbedding(query: MessageContentDetail): Promise<number[] | null> {
    const text = extractSingleText(query);
    return text === null ? null : Array.from(await this.embedder.embedQuery(text));
  }
}

export interface CrossEncoderPostprocessorOptions extends ModelOptions {
  /** How many nodes to return at most; at least 1. Default: all. */
  readonly topN?: number | undefined;
  /** Metadata that is read before the text, where it is a string. Default `"title"`; false for none. */
  readonly titleKey?: string | false | undefined;
}

/** A node as the model judged it. */
export interface RerankedNode extends NodeWithScore {
  /** The score that the node came with; none for one that came without. */
  readonly priorScore?: number;
}

/** `CrossEncoderReranker` as a postprocessor: nodes by the model's score, best first. */
export class CrossEncoderPostprocessor implements BaseNodePostprocessor {
  /** To load it, or to dispose of it. */
  readonly reranker: CrossEncoderReranker;
  readonly #options: CrossEncoderPostprocessorOptions;

  constructor(options: CrossEncoderPostprocessorOptions) {
    const method = "CrossEncoderPostprocessor";
    checkNames(method, options, [...MODEL_OPTIONS, "topN", "titleKey"]);
    const { topN, titleKey, ...model } = options;
    checkCount(method, "topN", topN);
    if (titleKey !== false) checkKind(method, options, "titleKey", "string");
    this.reranker = new CrossEncoderReranker(model);
    this.#options = options;
  }

  /** New objects. @throws InvalidArgumentError without a query, for which nothing could be judged */
  async postprocessNodes(nodes: NodeWithScore[], query?: MessageContent): Promise<RerankedNode[]> {
    if (nodes.length === 0) return [];
    if (query === undefined) {
      throw new InvalidArgumentError("postprocessNodes: expected the query, got none. Pass it with the nodes.");
    }
    const { titleKey = DEFAULT_TITLE_KEY, topN } = this.#options;
    const texts = nodes.map(({ node }) => {
      const title = titleKey === false ? undefined : (node.metadata as Record<string, unknown>)[titleKey];
      return embeddedText({
        title: typeof title === "string" ? title : undefined,
        text: node.getContent(MetadataMode.NONE),
      });
    });
    const scores = await this.reranker.scores(extractText(query), texts);
    return bestFirst(nodes, scores)
      .slice(0, topN)
      .map(({ item: { node, score: prior }, score }) => ({
        node,
        score,
        ...(prior !== undefined && { priorScore: prior }),
      }));
  }
}
