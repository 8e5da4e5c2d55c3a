/** Evidence paths: why each passage of a ranking is there. */
import type { View } from "../index/view.js";
import type { Span, TextAnalysis, TextAnalyzer } from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";
import { titleNames } from "../text/names.js";
import type {
  EntityPlace,
  EntitySeed,
  Evidence,
  EvidenceStep,
  PassageSeed,
  SentenceEvidence,
  SimilarityEvidence,
  StoredPassage,
} from "../types.js";
import type { Ranking } from "./rank.js";
import { SIMILARITY_NAMES } from "./similarity.js";

/** A path under construction: where it starts and the entity it has come to. */
interface Path {
  readonly seed: EntitySeed | PassageSeed;
  readonly steps: readonly EvidenceStep[];
}

/** Explains the hits of one ranking. Texts are analysed anew, since an index keeps no spans of mentions. */
export class Explainer {
  private readonly view: View;
  private readonly analyzer: TextAnalyzer;
  private readonly ranking: Ranking;
  /** Shares of the priors, by passage number. */
  private readonly priors: ReadonlyMap<number, number>;
  private readonly analyses = new Map<number, { passage: StoredPassage; analysis: TextAnalysis }>();
  private readonly activated: ReadonlyMap<number, number>;
  private readonly candidateScores: ReadonlyMap<number, number>;

  constructor(view: View, analyzer: TextAnalyzer, ranking: Ranking, priors: ReadonlyMap<number, number>) {
    this.view = view;
    this.analyzer = analyzer;
    this.ranking = ranking;
    this.priors = priors;
    const { entities } = ranking.activation;
    this.activated = new Map(Array.from({ length: entities.length }, (_, index) => [entities.ids[index], index]));
    const { items, scores, length } = ranking.candidates;
    this.candidateScores = new Map(Array.from({ length }, (_, i) => [items[i], scores[i]]));
  }

  explain(passage: number): Evidence {
    const sentence = this.bestSentence(passage);
    const entity = this.leadingEntity(passage);
    const path = entity === undefined ? undefined : this.pathTo(entity);
    if (entity === undefined || path === undefined) return { ...this.similarityOf(passage), sentence };
    const place = this.place(entity, passage);
    return { via: "graph", ...path, arrival: { ...place, defines: this.edge(passage, entity)!.defines }, sentence };
  }

  /**
   * The key of the entity that brought the passage: the activated one that gives it most by equation 7, or
   * the one that PageRank first reached it by. Undefined when neither did.
   */
  private leadingEntity(passage: number): number | undefined {
    const { activation, push } = this.ranking;
    let best: { key: number; weight: number } | undefined;
    for (const [key, index] of this.activated) {
      const edge = this.edge(passage, key);
      if (edge === undefined) continue;
      const mentions = edge.count + (edge.defines ? 1 : 0);
      const degree = this.view.entityDegree(key);
      const weight = ((activation.activations[index] / Math.sqrt(degree)) * Math.log1p(mentions)) / activation.levels[index];
      if (best === undefined || weight > best.weight) best = { key, weight };
    }
    if (best !== undefined || push === undefined) return best?.key;
    const index = indexOf(push.passages.nodes, passage);
    const source = index < 0 ? -1 : push.passages.sources[index];
    return source < 0 ? undefined : push.entities.nodes.ids[source];
  }

  /** How the entity was reached; undefined when stage 2 alone cannot say. */
  private pathTo(key: number): Path | undefined {
    const index = this.activated.get(key);
    return index === undefined ? this.pathThroughPassage(key) : this.pathThroughSentences(index);
  }

  /** Back over the sentences that activated the entity, to a seed. */
  private pathThroughSentences(index: number): Path {
    const { activation, seeds } = this.ranking;
    const steps: EvidenceStep[] = [];
    let at = index;
    for (let bridge = activation.bridges[at]; bridge !== undefined; bridge = activation.bridges[at]) {
      const passage = this.view.passageOfSentence(bridge.sentence);
      const sentence = this.sentence(passage, bridge.sentence, bridge.relevance);
      steps.unshift({
        via: "sentence",
        from: this.place(activation.entities.ids[bridge.from], passage, sentence.span),
        to: this.place(activation.entities.ids[at], passage, sentence.span),
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

  /** Back over the passage by which PageRank first reached the entity. */
  private pathThroughPassage(key: number): Path | undefined {
    const { push } = this.ranking;
    const index = push === undefined ? -1 : indexOf(push.entities.nodes, key);
    if (push === undefined || index < 0 || push.entities.sources[index] < 0) return undefined;
    const passage = push.passages.nodes.ids[push.entities.sources[index]];
    const before = this.leadingEntity(passage);
    const path = before === undefined ? undefined : this.pathTo(before);
    if (before === undefined || path === undefined) {
      const place = this.place(key, passage);
      const { via, similarity } = this.similarityOf(passage);
      return {
        seed: { kind: "passage", via, similarity, passageId: place.passageId, entity: place.entity, place },
        steps: [],
      };
    }
    const step = { via: "passage", from: this.place(before, passage), to: this.place(key, passage) } as const;
    return { ...path, steps: [...path.steps, step] };
  }

  private similarityOf(passage: number): Pick<SimilarityEvidence, "via" | "similarity"> {
    const prior = this.priors.get(passage);
    const similarity = this.candidateScores.get(passage);
    if (prior !== undefined && prior > (similarity ?? 0)) return { via: "priors", similarity: prior };
    if (similarity !== undefined) return { via: SIMILARITY_NAMES[this.ranking.similarity.mode], similarity };
    const late = this.ranking.similarity.ofPassage(passage);
    return late > 0 ? { via: SIMILARITY_NAMES[this.ranking.similarity.mode], similarity: late } : { via: "fill", similarity: 0 };
  }

  /** The passage's sentence most relevant to the question, the first of equals. */
  private bestSentence(passage: number): SentenceEvidence | undefined {
    const { segment, passageBase, sentenceBase } = this.view.partOfPassage(passage);
    const part = this.view.parts.findIndex((candidate) => candidate.segment === segment);
    const { sentenceIndptr } = segment.arrays;
    const local = passage - passageBase;
    let best: { sentence: number; relevance: number } | undefined;
    for (let s = sentenceIndptr[local]; s < sentenceIndptr[local + 1]; s++) {
      const relevance = this.ranking.similarity.of(part, s, local);
      if (best === undefined || relevance > best.relevance) best = { sentence: sentenceBase + s, relevance };
    }
    return best === undefined ? undefined : this.sentence(passage, best.sentence, best.relevance);
  }

  private sentence(passage: number, sentence: number, relevance: number): SentenceEvidence {
    const { segment, sentenceBase } = this.view.partOfSentence(sentence);
    const { sentenceStarts, sentenceEnds } = segment.arrays;
    const span = { start: sentenceStarts[sentence - sentenceBase], end: sentenceEnds[sentence - sentenceBase] };
    const stored = this.read(passage).passage;
    return { passageId: stored.id, span, text: stored.text.slice(span.start, span.end), relevance };
  }

  /** Where the entity stands in the passage: in the text, within the given span if any, else in the title. */
  private place(key: number, passage: number, within?: Span): EntityPlace {
    const { passage: stored, analysis } = this.read(passage);
    const entity = this.name(key);
    for (const { start, end, name } of analysis.mentions) {
      if (stableKey(name) !== key) continue;
      if (within !== undefined && (start < within.start || end > within.end)) continue;
      return { entity, passageId: stored.id, field: "text", span: { start, end } };
    }
    const title = stored.title ?? "";
    const whole = titleNames(title).findIndex((name) => stableKey(name) === key) <= 0;
    // A title's second name leaves its bracketed qualifier out.
    const end = whole ? title.length : title.slice(0, title.lastIndexOf("(")).trimEnd().length;
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

  private read(passage: number): { passage: StoredPassage; analysis: TextAnalysis } {
    let known = this.analyses.get(passage);
    if (known === undefined) {
      const stored = this.view.passage(passage);
      known = { passage: stored, analysis: this.analyzer.analyze(stored.text) };
      this.analyses.set(passage, known);
    }
    return known;
  }
}

function indexOf({ ids, length }: { ids: Float64Array; length: number }, id: number): number {
  return ids.subarray(0, length).indexOf(id);
}
