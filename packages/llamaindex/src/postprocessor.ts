import type { MessageContent } from "@llamaindex/core/llms";
import type { BaseNodePostprocessor } from "@llamaindex/core/postprocessor";
import type { NodeWithScore } from "@llamaindex/core/schema";
import { extractText } from "@llamaindex/core/utils";
import type { MetadataFilters } from "@llamaindex/core/vector-store";
import {
  type CallOptions,
  InvalidArgumentError,
  type StoredPassage,
  type TriGraph,
  checkNames,
  show,
} from "@trigraph/core";
import { checkInteger } from "./check.js";
import { DEFAULT_APPEND } from "./defaults.js";
import { toPriors } from "./dense.js";
import { toPredicate } from "./filters.js";
import type { NodeOptions } from "./options.js";
import { toNode } from "./passages.js";

/** A signal ends what is judged, with the signal's reason: a postprocessor costs nothing, so make one for a question. */
interface CommonOptions extends NodeOptions, CallOptions {
  /** The index that knows the nodes: a retriever's `index`, or a vector store's `client()`. */
  readonly index: TriGraph;
  /** How many nodes to return at most; at least 1. Default: all. */
  readonly topN?: number | undefined;
}

interface RerankOptions extends CommonOptions {
  /** Orders the nodes that came. */
  readonly mode: "rerank";
}

interface ExtendOptions extends CommonOptions {
  /** Orders the nodes that came, together with passages that the graph leads to from them and the question. */
  readonly mode: "extend";
  /** How many passages the graph adds; at least 1. Default 5. */
  readonly append?: number | undefined;
  /** Passages that the graph may see and add. Nodes that came are kept. */
  readonly filters?: MetadataFilters | undefined;
}

/** Options of `TriGraphPostprocessor`, by its mode. */
export type TriGraphPostprocessorOptions = RerankOptions | ExtendOptions;

/** A node as the graph judged it. */
export interface JudgedNode extends NodeWithScore {
  /** The score that the node came with; none for nodes that came without, or that the graph added. */
  readonly priorScore?: number;
}

/**
 * Lets the graph judge what another retriever brought: its nodes and their scores are the priors of the ranking, beside
 * the entities of the question.
 *
 * Returns new objects with the graph's scores, best first, and the old ones as `priorScore`. Nodes that the index does not hold follow, as they came.
 * Scores of 0 or less lend a node no weight; a node without a score counts as LlamaIndex's retrievers count it, 1.
 */
export class TriGraphPostprocessor implements BaseNodePostprocessor {
  private readonly options: TriGraphPostprocessorOptions;
  private readonly filter: ((passage: StoredPassage) => boolean) | undefined;
  /** Passages to add; 0 when the mode is `"rerank"`. */
  private readonly append: number;

  constructor(options: TriGraphPostprocessorOptions) {
    const method = "TriGraphPostprocessor";
    const own = (options as { mode: unknown }).mode === "extend" ? ["append", "filters"] : [];
    checkNames(method, options, ["index", "mode", "topN", "titleKey", "signal", ...own]);
    if (options.mode !== "rerank" && options.mode !== "extend") {
      const { mode } = options as { mode: unknown };
      throw new InvalidArgumentError(`${method}: expected the mode "rerank" or "extend", got ${show(mode)}.`);
    }
    checkInteger(`${method}: topN`, options.topN, 1);
    this.options = options;
    this.append = 0;
    if (options.mode === "rerank") return;
    checkInteger(`${method}: append`, options.append, 1);
    this.append = options.append ?? DEFAULT_APPEND;
    this.filter = options.filters && toPredicate(`${method}: filters`, options.filters);
  }

  /** @throws InvalidArgumentError without a query, for which nothing could be judged */
  async postprocessNodes(nodes: NodeWithScore[], query?: MessageContent): Promise<JudgedNode[]> {
    if (nodes.length === 0) return [];
    if (query === undefined) {
      throw new InvalidArgumentError("postprocessNodes: expected the query, got none. Pass it with the nodes.");
    }
    const { index, topN } = this.options;
    const known: NodeWithScore[] = [];
    const others: NodeWithScore[] = [];
    for (const each of nodes) (index.get(each.node.id_) === undefined ? others : known).push(each);
    const judged = known.length === 0 ? [] : await this.judge(known, extractText(query));
    return [...judged, ...others.map((other) => ({ ...other }))].slice(0, topN);
  }

  private async judge(known: readonly NodeWithScore[], question: string): Promise<JudgedNode[]> {
    const { index, signal } = this.options;
    const nodes = new Map(known.map((each) => [each.node.id_, each]));
    const priors = toPriors(known.map(({ node, score }) => ({ id: node.id_, score })));
    const passes = this.filter;
    const filter = passes && ((passage: StoredPassage) => nodes.has(passage.id) || passes(passage));
    const best =
      this.append === 0 ? [] : await index.retrieve(question, { k: this.append + nodes.size, priors, filter, signal });
    const added = best.filter(({ passage }) => !nodes.has(passage.id)).slice(0, this.append);
    const own = best.filter(({ passage }) => nodes.has(passage.id));
    const missing = new Set(nodes.keys());
    for (const { passage } of own) missing.delete(passage.id);
    // The same ranking again, read further down: only for nodes that are not among its best.
    const rest =
      missing.size === 0
        ? []
        : await index.retrieve(question, { k: missing.size, priors, filter, signal, among: missing });
    return [...own, ...added, ...rest]
      .sort((a, b) => b.score - a.score)
      .map(({ passage, score }) => {
        const came = nodes.get(passage.id);
        if (came === undefined) return { node: toNode(passage, this.options), score };
        return { node: came.node, score, ...(came.score !== undefined && { priorScore: came.score }) };
      });
  }
}
