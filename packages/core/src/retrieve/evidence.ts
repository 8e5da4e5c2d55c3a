/** Evidence paths: why each passage of a ranking is there. */
import { scoresByItem } from "../best-list.js";
import { edgeMass } from "../graph/edge-weight.js";
import type { View } from "../index/view.js";
import { ALL_WORDS, type WordSet } from "../graph/reader.js";
import { activationTerm, specificActivation, type WeightedPassages } from "../pagerank/reset.js";
import { type Analyzer, analyzeUntagged, type EntityMention, readTexts, type Span } from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";
import { titleNames, withoutQualifier } from "../text/names.js";
import type {
  EntityPlace,
  EntitySeed,
  Evidence,
  EvidenceArrival,
  EvidenceStep,
  GraphEvidence,
  PassageSeed,
  SentenceEvidence,
  SimilarityEvidence,
  StageScores,
  StoredPassage,
} from "../types.js";
import { type Inflow, PageRankFlow } from "./flow.js";
import type { Ranking } from "./rank.js";
import type { RankedPassage } from "./ranked.js";
import { SIMILARITY_NAMES } from "./similarity.js";

/** A path under construction: where it starts and the entity it has come to. */
interface Path {
  readonly seed: EntitySeed | PassageSeed;
  readonly steps: readonly EvidenceStep[];
}

/** The entity that leads into a passage, the path to it, and what it gives the passage. */
interface Lead {
  readonly entity: number;
  readonly path: Path;
  readonly by: EvidenceArrival["by"];
  readonly contribution: number;
}

/** An activated entity and its term in equation 7. */
interface ActivatedEntity {
  readonly key: number;
  readonly index: number;
  readonly contribution: number;
}

/** Passages and entities of a path so far. */
interface Visited {
  readonly passages: Set<number>;
  readonly entities: Set<number>;
}

/** Explains the hits of one ranking. Texts are analysed anew, since an index keeps no spans of mentions. */
export class Explainer {
  private readonly view: View;
  private readonly analyzer: Analyzer;
  private readonly ranking: Ranking;
  private readonly signal: AbortSignal | undefined;
  /** Shares of the priors, by passage number. */
  private readonly priors: ReadonlyMap<number, number>;
  private readonly passages = new Map<number, StoredPassage>();
  private readonly mentions = new Map<number, readonly EntityMention[]>();
  private readonly activated: ReadonlyMap<number, number>;
  private readonly candidateScores: ReadonlyMap<number, number>;
  /** Empty when stage 2 did not run. */
  private readonly pageRanks: ReadonlyMap<number, number>;
  /** Undefined when stage 2 did not run. */
  private readonly flow: PageRankFlow | undefined;

  constructor(
    view: View,
    analyzer: Analyzer,
    ranking: Ranking,
    { passages, weights }: WeightedPassages,
    signal: AbortSignal | undefined,
  ) {
    this.view = view;
    this.analyzer = analyzer;
    this.signal = signal;
    this.ranking = ranking;
    this.priors = new Map(Array.from({ length: passages.length }, (_, i) => [passages.ids[i], weights[i]]));
    const { entities } = ranking.activation;
    this.activated = new Map(Array.from({ length: entities.length }, (_, index) => [entities.ids[index], index]));
    this.candidateScores = scoresByItem(ranking.candidates);
    const { passages: nodes } = ranking.pageRank ?? {};
    this.pageRanks = new Map(
      Array.from({ length: nodes?.nodes.length ?? 0 }, (_, i) => [nodes!.nodes.ids[i], nodes!.scores[i]]),
    );
    this.flow = ranking.pageRank && new PageRankFlow(ranking.graph, ranking.pageRank, ranking.options);
  }

  /** @param score the passage's, as it was ranked */
  async explain({ number, score }: RankedPassage): Promise<Evidence> {
    const path = { ...(await this.explainPath(number)), stages: this.stagesOf(number) };
    const { fusion } = this.ranking;
    const candidate = fusion?.candidate(number);
    if (fusion === undefined || candidate === undefined) return path;
    return { ...path, fusion: { probability: score, intercept: fusion.intercept, shares: fusion.shares(candidate) } };
  }

  private stagesOf(passage: number): StageScores {
    const similarity = this.candidateScores.get(passage) ?? this.ranking.similarity.ofPassage(passage);
    return {
      similarity,
      activation: this.resetOf(passage).activation,
      pageRank: this.pageRanks.get(passage) ?? 0,
    };
  }

  private async explainPath(passage: number): Promise<GraphEvidence | SimilarityEvidence> {
    const sentence = this.bestSentence(passage);
    const visited = { passages: new Set([passage]), entities: new Set<number>() };
    const found = (await this.pathInto(passage, visited)) ?? (await this.secondHopInto(passage, visited));
    if (found === undefined) return { ...this.similarityOf(passage), sentence };
    const { entity, path, by, contribution } = found;
    const { defines } = this.edge(passage, entity)!;
    const arrival = { ...(await this.place(entity, passage)), defines, by, contribution };
    return { via: "graph", ...path, arrival, sentence };
  }

  /** The path over a leading passage to a bridge and into this one, where neither words nor vectors brought it. */
  private async secondHopInto(passage: number, visited: Visited): Promise<Lead | undefined> {
    const hop = this.ranking.fusion?.candidate(passage)?.secondHop;
    if (hop === undefined || this.candidateScores.has(passage) || this.priors.has(passage)) return undefined;
    const { entity, passage: from, relevance } = hop.bridge;
    const path = await this.pathThrough({ from, mass: relevance }, entity, visited);
    return { entity, path, by: "bridge", contribution: hop.score };
  }

  /**
   * The entity that leads into the passage, and the path to it: the activated one that gives it most by
   * equation 7, else the one that brought it the most PageRank. Undefined when neither did, or when the
   * passage has more from its own similarity, or as a prior, than from the graph.
   *
   * @param visited passages and entities of the path so far: none is met twice
   */
  private async pathInto(passage: number, visited: Visited): Promise<Lead | undefined> {
    const activated = this.leadingEntity(passage);
    const { own, activation } = this.resetOf(passage);
    if (activated !== undefined && activation >= own) return this.activatedLead(activated);
    const inflow = await this.flow?.intoPassage(passage, visited.entities);
    if (activation + (inflow?.mass ?? 0) < own) return undefined;
    if (activated !== undefined) return this.activatedLead(activated);
    if (inflow === undefined) return undefined;
    const path = await this.pathThroughPassage(inflow.from, visited);
    return path && { entity: inflow.from, path, by: "pagerank", contribution: inflow.mass };
  }

  private async activatedLead({ key, index, contribution }: ActivatedEntity): Promise<Lead> {
    return { entity: key, path: await this.pathThroughSentences(index), by: "activation", contribution };
  }

  /** The reset mass of a passage: what activated entities give it, and what is its own. */
  private resetOf(passage: number): { own: number; activation: number } {
    const { reset } = this.ranking;
    if (reset === undefined) return { own: 0, activation: 0 };
    const index = reset.passages.ids.subarray(0, reset.passages.length).indexOf(passage);
    if (index < 0) return { own: 0, activation: 0 };
    const activation = reset.activationMass[index];
    return { own: reset.passageMass[index] - activation, activation };
  }

  private leadingEntity(passage: number): ActivatedEntity | undefined {
    const { activation, options } = this.ranking;
    let best: ActivatedEntity | undefined;
    for (const [key, index] of this.activated) {
      const edge = this.edge(passage, key);
      if (edge === undefined) continue;
      const definitions = this.view.entityDefinitions(key);
      const mass = edgeMass(edge.count, edge.defines ? 1 : 0, definitions, options.definitionWeight);
      const degree = this.view.entityDegree(key);
      const specific = specificActivation(activation.activations[index], degree, options.specificity);
      const contribution = activationTerm(specific, activation.levels[index], mass);
      if (best === undefined || contribution > best.contribution) best = { key, index, contribution };
    }
    return best;
  }

  /** Back over the sentences that activated the entity, to a seed. */
  private async pathThroughSentences(index: number): Promise<Path> {
    const { activation, seeds } = this.ranking;
    const steps: EvidenceStep[] = [];
    let at = index;
    for (let bridge = activation.bridges[at]; bridge !== undefined; bridge = activation.bridges[at]) {
      const passage = this.view.passageOfSentence(bridge.sentence);
      const sentence = this.sentence(passage, bridge.sentence, bridge.relevance, bridge.covered);
      steps.unshift({
        via: "sentence",
        from: await this.place(activation.entities.ids[bridge.from], passage, sentence.span),
        to: await this.place(activation.entities.ids[at], passage, sentence.span),
        sentence,
        activation: bridge.activation,
        contribution: bridge.activation * bridge.relevance,
      });
      at = bridge.from;
    }
    const seed = seeds[at];
    return {
      seed: {
        kind: "entity",
        entity: this.name(seed.entity),
        span: seed.span,
        activation: seed.activation,
      },
      steps,
    };
  }

  /**
   * Back over the passage that brought the entity the most PageRank; that is the seed when nothing leads
   * into it. Undefined when the entity has its mass from passages of the path only.
   */
  private async pathThroughPassage(key: number, visited: Visited): Promise<Path | undefined> {
    visited.entities.add(key);
    const inflow = await this.flow!.intoEntity(key, visited.passages);
    return inflow && this.pathThrough(inflow, key, visited);
  }

  /** Back over a passage that brought the entity something. */
  private async pathThrough({ from: passage, mass }: Inflow, key: number, visited: Visited): Promise<Path> {
    visited.entities.add(key);
    const place = await this.place(key, passage);
    visited.passages.add(passage);
    const before = await this.pathInto(passage, visited);
    if (before === undefined) {
      const { via, similarity } = this.similarityOf(passage);
      return {
        seed: { kind: "passage", via, similarity, passageId: place.passageId, entity: place.entity, place },
        steps: [],
      };
    }
    const from = await this.place(before.entity, passage);
    const step = { via: "passage", from, to: place, contribution: mass } as const;
    return { ...before.path, steps: [...before.path.steps, step] };
  }

  private similarityOf(passage: number): Pick<SimilarityEvidence, "via" | "similarity"> {
    const prior = this.priors.get(passage);
    const similarity = this.candidateScores.get(passage);
    if (prior !== undefined && prior > (similarity ?? 0)) return { via: "priors", similarity: prior };
    if (similarity !== undefined) return { via: SIMILARITY_NAMES[this.ranking.similarity.mode], similarity };
    const late = this.ranking.similarity.ofPassage(passage);
    return late > 0
      ? { via: SIMILARITY_NAMES[this.ranking.similarity.mode], similarity: late }
      : { via: "fill", similarity: 0 };
  }

  /** The passage's sentence most relevant to the question, the first of equals. */
  private bestSentence(passage: number): SentenceEvidence | undefined {
    const { similarity } = this.ranking;
    const part = this.view.partOfPassage(passage);
    const { sentenceIndptr } = part.segment.arrays;
    const local = passage - part.passageBase;
    let best: { sentence: number; relevance: number; covered: WordSet } | undefined;
    for (let s = sentenceIndptr[local]; s < sentenceIndptr[local + 1]; s++) {
      const covered = similarity.wordsIn(part, s, local);
      const relevance = similarity.of(part, s, local, covered, ALL_WORDS);
      if (best === undefined || relevance > best.relevance) {
        best = { sentence: part.sentenceBase + s, relevance, covered };
      }
    }
    return best && this.sentence(passage, best.sentence, best.relevance, best.covered);
  }

  private sentence(passage: number, sentence: number, relevance: number, covered: WordSet): SentenceEvidence {
    const { segment, sentenceBase } = this.view.partOfSentence(sentence);
    const { sentenceStarts, sentenceEnds } = segment.arrays;
    const span = { start: sentenceStarts[sentence - sentenceBase], end: sentenceEnds[sentence - sentenceBase] };
    const stored = this.passage(passage);
    const words = this.ranking.similarity.words.in(covered);
    return { passageId: stored.id, span, text: stored.text.slice(span.start, span.end), relevance, words };
  }

  /** Where the entity stands in the passage: in the text, within the given span if any, else in the title. */
  private async place(key: number, passage: number, within?: Span): Promise<EntityPlace> {
    const stored = this.passage(passage);
    const entity = this.name(key);
    for (const { start, end, name } of await this.mentionsIn(passage)) {
      if (stableKey(name) !== key) continue;
      if (within !== undefined && (start < within.start || end > within.end)) continue;
      return { entity, passageId: stored.id, field: "text", span: { start, end } };
    }
    const title = stored.title ?? "";
    const whole = titleNames(title).findIndex((name) => stableKey(name) === key) <= 0;
    // A title's second name leaves its bracketed qualifier out.
    const end = whole ? title.length : withoutQualifier(title).trimEnd().length;
    return { entity, passageId: stored.id, field: "title", span: { start: 0, end } };
  }

  /** The passage's edge to the entity, if it contains it. */
  private edge(passage: number, key: number): { count: number; defines: boolean } | undefined {
    const { segment, passageBase } = this.view.partOfPassage(passage);
    const entity = segment.entities.find(key);
    if (entity < 0) return undefined;
    const { containIndptr, containEntities, containCounts, containDefines } = segment.arrays;
    const local = passage - passageBase;
    for (let i = containIndptr[local]; i < containIndptr[local + 1]; i++) {
      if (containEntities[i] === entity) return { count: containCounts[i], defines: containDefines[i] === 1 };
    }
    return undefined;
  }

  private name(key: number): string {
    return this.view.entityName(key)!;
  }

  private passage(number: number): StoredPassage {
    let known = this.passages.get(number);
    if (known === undefined) {
      known = this.view.passage(number);
      this.passages.set(number, known);
    }
    return known;
  }

  private async mentionsIn(passage: number): Promise<readonly EntityMention[]> {
    let known = this.mentions.get(passage);
    if (known === undefined) {
      const { text } = this.passage(passage);
      const reader = await readTexts(this.analyzer, [text], this.signal);
      known = analyzeUntagged(reader, text).mentions;
      this.mentions.set(passage, known);
    }
    return known;
  }
}
