import {
  checkNames,
  InvalidArgumentError,
  type EntityMention,
  type RankingOptions,
  type RetrievedPassage,
  type RetrieveTrace,
  show,
  type StoredPassage,
  type TriGraph,
} from "@trigraph/core";
import { RANK_DEPTH } from "./defaults.js";
import { Paths, passageNode } from "./paths.js";
import type {
  Exploration,
  ExploredPassage,
  ExploredSeed,
  ExploredStages,
  ExploredText,
  ExploreOptions,
  RankingMethod,
} from "./types.js";

/** The settings that make each method of an index's own. */
const SETTINGS: Readonly<Record<RankingMethod, Partial<RankingOptions>>> = {
  fused: {},
  graph: { fusion: "none" },
  words: { seeds: "none", similarity: "lexical", fusion: "none" },
  vectors: { seeds: "none", similarity: "dense", fusion: "none" },
};

/** As `retrieve` has it. */
const DEFAULT_K = 5;

/**
 * Asks the question, and gathers what brought each passage: seeds, sentences, bridge entities and passages on its path,
 * its scores by stage, and its rank under each method. `toHtml` makes a page of it.
 *
 * @throws what `retrieve` throws; InvalidArgumentError on methods that are not as documented, and when the index was
 * written to meanwhile, so that the rankings are not of the same passages
 */
export async function explore(index: TriGraph, question: string, options: ExploreOptions = {}): Promise<Exploration> {
  checkNames("explore", options, ["k", "filter", "signal", "methods", "vector"]);
  const { k = DEFAULT_K, methods, ...shared } = options;
  if (methods !== undefined) checkMethods(methods);
  const { commits } = index;

  const [first = "fused"] = methods ?? [];
  let trace!: RetrieveTrace;
  const hits = await ask(first, { k, explain: true, onTrace: (told) => (trace = told) });
  const compared = methods ?? [...BY_WORDS, ...(trace.similarity === "words" ? [] : (["vectors"] as const))];
  const rankDepth = Math.max(k, RANK_DEPTH);
  const rankings: ReadonlyMap<string, number>[] = [];
  for (const method of compared) rankings.push(ranksOf(await ask(method, { k: rankDepth })));

  const paths = new Paths();
  const pathOf = hits.map((hit) => paths.add(hit));
  const passages: ExploredPassage[] = [];
  for (const [i, hit] of hits.entries()) {
    const { evidence } = hit;
    const { sentence } = evidence!;
    passages.push({
      id: passageNode(hit.rank),
      ...(await textOf(hit.passage)),
      metadata: hit.passage.metadata ?? null,
      rank: hit.rank,
      score: hit.score,
      stages: stagesOf(hit),
      ranks: rankings.map((ranks) => ranks.get(hit.passage.id) ?? null),
      sentence: sentence ? { span: sentence.span, relevance: sentence.relevance, words: sentence.words } : null,
      path: pathOf[i],
      arrival: arrivalOf(hit),
    });
  }
  const { nodes } = paths;
  const shown = new Set(passages.map(({ passageId }) => passageId));
  const onPaths = [...nodes.seeds.filter(isPassage), ...nodes.sentences, ...nodes.carriers];
  const others = new Set(onPaths.map(({ passageId }) => passageId).filter((id) => !shown.has(id)));
  const sources: ExploredText[] = [];
  for (const id of others) sources.push(await textOf(index.get(id)));
  if (index.commits !== commits) throw changed();
  const { similarity } = trace;
  return {
    ...{ format: 1, question, indexSize: index.size, similarity, methods: compared, rankDepth },
    ...{ ...nodes, passages, sources },
  };

  function ask(method: RankingMethod, asked: Parameters<TriGraph["retrieve"]>[1]): Promise<RetrievedPassage[]> {
    // Words alone have no use for a vector, but accept it.
    return index.retrieve(question, { ...shared, ...asked, ranking: SETTINGS[method] });
  }

  async function textOf(passage: StoredPassage | undefined): Promise<ExploredText> {
    const mentions = passage && (await index.mentionsOf(passage.id, { signal: options.signal }));
    if (mentions === undefined) throw changed();
    const { id: passageId, title = null, text } = passage!;
    return { passageId, title, text, mentions: mentions.map(toMention) };
  }

  function toMention({ start, end, name }: EntityMention) {
    return { start, end, entity: name, node: paths.entityNode(name) };
  }
}

const BY_WORDS: readonly RankingMethod[] = ["fused", "graph", "words"];

function checkMethods(methods: unknown): asserts methods is readonly RankingMethod[] {
  const known = Object.keys(SETTINGS);
  const list: readonly unknown[] = Array.isArray(methods) ? methods : [];
  const unknown = list.find((method) => !known.includes(method as string));
  if (list.length > 0 && new Set(list).size === list.length && unknown === undefined) return;
  throw new InvalidArgumentError(
    `explore: expected methods to be a list of ${known.join(", ")}, each at most once, got ${show(unknown ?? methods)}.`,
  );
}

function changed(): InvalidArgumentError {
  return new InvalidArgumentError(
    "explore: expected an index that nobody writes to meanwhile, got one that has changed. Ask again.",
  );
}

/** By passage. What has score 0 was not ranked: it fills up the k. */
function ranksOf(hits: readonly RetrievedPassage[]): ReadonlyMap<string, number> {
  return new Map(hits.filter(({ score }) => score > 0).map(({ passage, rank }) => [passage.id, rank]));
}

function stagesOf({ evidence }: RetrievedPassage): ExploredStages {
  const { stages, fusion } = evidence!;
  return {
    ...stages,
    fusion: fusion ?? null,
  };
}

function arrivalOf({ evidence }: RetrievedPassage): ExploredPassage["arrival"] {
  if (evidence!.via !== "graph") return null;
  const { entity, defines, by, contribution } = evidence!.arrival;
  return { entity, defines, by, contribution };
}

function isPassage(seed: ExploredSeed): seed is Extract<ExploredSeed, { kind: "passage" }> {
  return seed.kind === "passage";
}
