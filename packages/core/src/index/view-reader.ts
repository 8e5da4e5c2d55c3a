import type {
  EntityDegrees,
  EntityNeighbours,
  GraphReader,
  Neighbours,
  NodeList,
  PassageNeighbours,
  SentenceNeighbours,
  WordSet,
} from "../graph/reader.js";
import { grown } from "../typed-arrays.js";
import type { SegmentView, View } from "./view.js";
import type { Visibility } from "./visibility.js";

/** Scores the sentences of a view. Sentence and passage are ordinals in the part's segment. */
export interface SentenceRelevance {
  /** The question's words in the sentence. */
  wordsIn(part: SegmentView, sentence: number, passage: number): WordSet;
  /** σ, given the open words that the sentence covers; 0 when it has nothing to do with them. */
  of(part: SegmentView, sentence: number, passage: number, covered: WordSet, open: WordSet): number;
}

export interface HubOptions {
  /** An entity in more live passages than this is a hub: only its sentences in `candidates` are read. */
  readonly hubDegree: number;
  /** Numbers of the visible passages most similar to the question. */
  readonly candidates: readonly number[];
}

/** The graph of one query over a view in memory. */
export class ViewReader implements GraphReader {
  private readonly view: View;
  private readonly visibility: Visibility;
  private readonly relevance: SentenceRelevance;
  private readonly hubDegree: number;
  private readonly candidates: readonly number[];
  private readonly passages = new PassageBuffer();
  private readonly entities = new EntityBuffer();
  private readonly sentences = new SentenceBuffer();
  private readonly mentioned = new NeighbourBuffer();

  constructor(view: View, visibility: Visibility, relevance: SentenceRelevance, hubs: HubOptions) {
    this.view = view;
    this.visibility = visibility;
    this.relevance = relevance;
    this.hubDegree = hubs.hubDegree;
    this.candidates = [...hubs.candidates].sort((a, b) => view.comparePassages(a, b));
  }

  passagesOf(entities: NodeList): Promise<PassageNeighbours> {
    const { view, visibility, passages: out } = this;
    out.begin(entities.length);
    for (let n = 0; n < entities.length; n++) {
      const start = out.length;
      let sources = 0;
      for (const part of view.parts) {
        const { segment, passageBase } = part;
        const entity = segment.entities.find(entities.ids[n]);
        if (entity < 0) continue;
        sources++;
        const { entityPassageIndptr, entityPassages, entityPassageCounts, entityPassageDefines, containIndptr } =
          segment.arrays;
        const end = entityPassageIndptr[entity + 1];
        let place = out.reserve(end - entityPassageIndptr[entity]);
        const seesAll = visibility.seesAll(part);
        for (let i = entityPassageIndptr[entity]; i < end; i++) {
          const passage = entityPassages[i];
          if (!seesAll && !visibility.isVisible(passageBase + passage)) continue;
          out.ids[place] = passageBase + passage;
          out.counts[place] = entityPassageCounts[i];
          out.defines[place] = entityPassageDefines[i];
          out.degrees[place] = containIndptr[passage + 1] - containIndptr[passage];
          out.mentions[place] = segment.passageMentions[passage];
          out.definitions[place] = segment.passageDefinitions[passage];
          place++;
        }
        out.length = place;
      }
      if (sources > 1) out.sort(start, (a, b) => view.comparePassages(a, b));
      out.end(n);
    }
    return Promise.resolve(out);
  }

  entitiesOf(passages: NodeList): Promise<EntityNeighbours> {
    const { view, entities: out } = this;
    out.begin(passages.length);
    for (let n = 0; n < passages.length; n++) {
      const part = view.partOfPassage(passages.ids[n]);
      const passage = passages.ids[n] - part.passageBase;
      const { containIndptr, containEntities, containCounts, containDefines, entityKeys } = part.segment.arrays;
      const start = containIndptr[passage];
      const end = containIndptr[passage + 1];
      let place = out.reserve(end - start);
      for (let i = start; i < end; i++, place++) {
        const entity = containEntities[i];
        out.ids[place] = entityKeys[entity];
        out.counts[place] = containCounts[i];
        out.defines[place] = containDefines[i];
        out.degrees[place] = part.entityDegree(entity);
        out.definitions[place] = part.entityDefinitions(entity);
      }
      if (view.parts.length > 1) this.addOtherParts(part, place - (end - start), place);
      out.end(n);
    }
    return Promise.resolve(out);
  }

  sentencesOf(entities: NodeList, open: Uint32Array): Promise<SentenceNeighbours> {
    const { view, sentences: out } = this;
    out.begin(entities.length);
    for (let n = 0; n < entities.length; n++) {
      const key = entities.ids[n];
      const start = out.length;
      if (view.entityDegree(key) > this.hubDegree) this.addCandidateSentences(key, open[n]);
      else if (this.addSentences(key, open[n]) > 1) out.sort(start, (a, b) => this.compareSentences(a, b));
      out.end(n);
    }
    return Promise.resolve(out);
  }

  entitiesIn(sentences: NodeList): Promise<Neighbours> {
    const { view, mentioned: out } = this;
    out.begin(sentences.length);
    for (let n = 0; n < sentences.length; n++) {
      const part = view.partOfSentence(sentences.ids[n]);
      const sentence = sentences.ids[n] - part.sentenceBase;
      const { mentionIndptr, mentionEntities, entityKeys } = part.segment.arrays;
      for (let i = mentionIndptr[sentence]; i < mentionIndptr[sentence + 1]; i++) {
        const place = out.reserve(1);
        out.ids[place] = entityKeys[mentionEntities[i]];
      }
      out.end(n);
    }
    return Promise.resolve(out);
  }

  degreesOf(entities: NodeList): Promise<EntityDegrees> {
    const degrees = new Uint32Array(entities.length);
    const definitions = new Uint32Array(entities.length);
    for (let n = 0; n < entities.length; n++) {
      for (const part of this.view.parts) {
        const entity = part.segment.entities.find(entities.ids[n]);
        if (entity < 0) continue;
        degrees[n] += part.entityDegree(entity);
        definitions[n] += part.entityDefinitions(entity);
      }
    }
    return Promise.resolve({ degrees, definitions });
  }

  /** Adds what the other segments hold of the entities in `[start, end)` to their statistics. */
  private addOtherParts(part: SegmentView, start: number, end: number): void {
    const { ids, degrees, definitions } = this.entities;
    for (const other of this.view.parts) {
      if (other === part) continue;
      for (let place = start; place < end; place++) {
        const entity = other.segment.entities.find(ids[place]);
        if (entity < 0) continue;
        degrees[place] += other.entityDegree(entity);
        definitions[place] += other.entityDefinitions(entity);
      }
    }
  }

  /** All sentences of the entity that have to do with the question; returns the number of segments that hold it. */
  private addSentences(key: number, open: WordSet): number {
    const { view, visibility } = this;
    let sources = 0;
    for (const part of view.parts) {
      const { segment, passageBase } = part;
      const entity = segment.entities.find(key);
      if (entity < 0) continue;
      sources++;
      const { entitySentenceIndptr, entitySentences, sentenceIndptr, entityPassageIndptr, entityPassages } =
        segment.arrays;
      // Its passages, ascending as its sentences are, so that no search is needed for a sentence's passage.
      let place = entityPassageIndptr[entity];
      for (let i = entitySentenceIndptr[entity]; i < entitySentenceIndptr[entity + 1]; i++) {
        const sentence = entitySentences[i];
        while (sentenceIndptr[entityPassages[place] + 1] <= sentence) place++;
        const passage = entityPassages[place];
        if (!visibility.isVisible(passageBase + passage)) continue;
        this.addIfRelevant(part, sentence, passage, open);
      }
    }
    return sources;
  }

  /** The sentences of a hub within the candidate passages, which are sorted. */
  private addCandidateSentences(key: number, open: WordSet): void {
    const { view } = this;
    for (const number of this.candidates) {
      const part = view.partOfPassage(number);
      const entity = part.segment.entities.find(key);
      if (entity < 0) continue;
      const { sentenceIndptr, mentionIndptr, mentionEntities } = part.segment.arrays;
      const passage = number - part.passageBase;
      for (let s = sentenceIndptr[passage]; s < sentenceIndptr[passage + 1]; s++) {
        for (let i = mentionIndptr[s]; i < mentionIndptr[s + 1]; i++) {
          if (mentionEntities[i] === entity) this.addIfRelevant(part, s, passage, open);
        }
      }
    }
  }

  private addIfRelevant(part: SegmentView, sentence: number, passage: number, open: WordSet): void {
    const covered = (this.relevance.wordsIn(part, sentence, passage) & open) >>> 0;
    const relevance = this.relevance.of(part, sentence, passage, covered, open);
    if (relevance <= 0) return;
    const { sentences } = this;
    const place = sentences.reserve(1);
    sentences.ids[place] = part.sentenceBase + sentence;
    sentences.relevance[place] = relevance;
    sentences.covered[place] = covered;
  }

  private compareSentences(a: number, b: number): number {
    const { view } = this;
    return view.comparePassages(view.passageOfSentence(a), view.passageOfSentence(b)) || a - b;
  }
}

/** A round of a question walks some hundred edges. */
const INITIAL_EDGES = 1024;

/** A CSR answer whose arrays are reused from call to call. */
class NeighbourBuffer implements Neighbours {
  indptr = new Uint32Array(64);
  ids = new Float64Array(INITIAL_EDGES);
  length = 0;

  begin(batch: number): void {
    if (this.indptr.length <= batch) this.indptr = new Uint32Array(batch * 2 + 1);
    this.indptr[0] = 0;
    this.length = 0;
  }

  /** The first of so many free places. */
  reserve(places: number): number {
    const first = this.length;
    this.length += places;
    while (this.length > this.ids.length) this.grow();
    return first;
  }

  /** Closes the row of the n-th node. */
  end(n: number): void {
    this.indptr[n + 1] = this.length;
  }

  /** Sorts the entries from `start` on by id. */
  sort(start: number, compare: (a: number, b: number) => number): void {
    const order = Array.from({ length: this.length - start }, (_, i) => start + i);
    order.sort((a, b) => compare(this.ids[a], this.ids[b]));
    for (const column of this.columns())
      column.set(
        order.map((place) => column[place]),
        start,
      );
  }

  protected columns(): (Float64Array | Uint32Array | Uint8Array)[] {
    return [this.ids];
  }

  protected grow(): void {
    this.ids = grown(this.ids, Float64Array);
  }
}

class SentenceBuffer extends NeighbourBuffer implements SentenceNeighbours {
  relevance = new Float64Array(INITIAL_EDGES);
  covered = new Uint32Array(INITIAL_EDGES);

  protected override columns() {
    return [...super.columns(), this.relevance, this.covered];
  }

  protected override grow(): void {
    super.grow();
    this.relevance = grown(this.relevance, Float64Array);
    this.covered = grown(this.covered, Uint32Array);
  }
}

class EntityBuffer extends NeighbourBuffer implements EntityNeighbours {
  counts = new Uint32Array(INITIAL_EDGES);
  defines = new Uint8Array(INITIAL_EDGES);
  degrees = new Uint32Array(INITIAL_EDGES);
  definitions = new Uint32Array(INITIAL_EDGES);

  protected override columns() {
    return [...super.columns(), this.counts, this.defines, this.degrees, this.definitions];
  }

  protected override grow(): void {
    super.grow();
    this.counts = grown(this.counts, Uint32Array);
    this.defines = grown(this.defines, Uint8Array);
    this.degrees = grown(this.degrees, Uint32Array);
    this.definitions = grown(this.definitions, Uint32Array);
  }
}

class PassageBuffer extends EntityBuffer implements PassageNeighbours {
  mentions = new Uint32Array(INITIAL_EDGES);

  protected override columns() {
    return [...super.columns(), this.mentions];
  }

  protected override grow(): void {
    super.grow();
    this.mentions = grown(this.mentions, Uint32Array);
  }
}
