import type { Passage } from "@trigraph/core";
import type { Question } from "@trigraph/evaluation";
import { countWords } from "./measures.js";
import { drawRelation, passageId, planChains, type ChainPlan } from "./synthetic/chains.js";
import { EntitySpace } from "./synthetic/entity-space.js";
import { seededRandom, type Random } from "./synthetic/random.js";
import { RELATIONS } from "./synthetic/relations.js";
import { SentenceWriter } from "./synthetic/sentences.js";
import { Names, Vocabulary } from "./synthetic/words.js";

export interface SyntheticOptions {
  /** How many passages, from 1,000 on. */
  readonly passages: number;
  readonly seed: number;
  /** How many questions. Default 200. */
  readonly questions?: number;
}

/** A passage and the names in its text, in no order and as often as they occur: the oracle for an analyzer. */
export interface Draft {
  readonly passage: Passage;
  readonly names: readonly string[];
}

const VOCABULARY = 250_000;
const LEAST_WORDS = 12;
/** Mean of the gamma distribution (shape 2) that is added to it. */
const MORE_WORDS = 62;
const TITLE_SHARE = 0.5;
/** Of the passages without a title, those that still open with "Subject is a …". */
const DEFINITION_SHARE = 0.5;
const FACT_SHARE = 0.2;
/** Of the facts that no question asks for, those told by a verb that shares no word with the relation's noun. */
const VERB_SHARE = 0.3;

/**
 * A generated corpus of any size with questions whose evidence is known. The same options give the same passages on
 * every machine; memory does not grow with their number.
 *
 * What it is like, beside 29,934 passages of Wikipedia (in brackets) as the English analyzer reads them:
 *
 * - 75 words a passage (83) in four sentences (3.9), half of them words of grammar; 250,000 made-up content words
 *   after Zipf and Mandelbrot.
 * - 8.4 mentions a passage (13.8), one of them a year (2.1). Three entities for two passages (five for one), and a
 *   third of them in a single passage (78 %): the graph is denser than Wikipedia's. The commonest entity is in a tenth
 *   of the passages (16 %), less in larger corpora.
 * - Of the names in a text two in five are its subject, one in seven belongs to a subject near by, the others are
 *   drawn after Zipf from the whole corpus.
 * - Half of the passages have a title, their subject's name; half of the others open with "Subject is a …".
 *
 * The questions ask "Who is the mother of the editor of Rovana Lith?", in two or three hops. Each hop's fact is one
 * sentence of one passage, told with the question's noun. Seeds, bridges and answers stand in their chain and its
 * distractors alone. What is hard: those passages lie scattered; others name the seed and the bridges in other
 * relations; the nouns of the question are used all over the corpus, and so are the parts of the names. Words find the
 * first passage at best.
 *
 * What makes them easy: names are spelled in full, always the same; no pronoun stands for them; a fact is told once,
 * within one sentence and in one of three wordings; the seed is always named in the question; no link of a chain is a
 * common name; text off the subject has no meaning that could mislead. So recall here says whether retrieval still
 * works at a size, not how good it is: that is what the real data sets are for.
 */
export class SyntheticCorpus {
  readonly questions: readonly Question[];
  readonly size: number;
  readonly #seed: number;
  readonly #space: EntitySpace;
  readonly #names: Names;
  readonly #vocabulary: Vocabulary;
  readonly #plan: ChainPlan;

  constructor({ passages, seed, questions = 200 }: SyntheticOptions) {
    if (!Number.isInteger(passages) || passages < 1000) {
      throw new RangeError(`SyntheticCorpus: passages must be an integer of at least 1000, got ${passages}`);
    }
    this.size = passages;
    this.#seed = seed;
    this.#vocabulary = new Vocabulary(VOCABULARY, seededRandom(seed, 0));
    this.#names = new Names(seededRandom(seed, 1));
    this.#space = new EntitySpace(passages, seededRandom(seed, 2));
    this.#plan = planChains(questions, this.#space, this.#names, seededRandom(seed, 3));
    this.questions = this.#plan.questions;
  }

  /** Distinct content words. */
  get vocabulary(): readonly string[] {
    return this.#vocabulary.words;
  }

  /** All passages, generated as they are read; each call begins anew. */
  *passages(): Generator<Passage, void, undefined> {
    for (const { passage } of this.drafts()) yield passage;
  }

  /** All passages with the names in them. */
  *drafts(): Generator<Draft, void, undefined> {
    const random = seededRandom(this.#seed, 4);
    const writer = new SentenceWriter(random, this.#vocabulary, this.#names);
    for (let i = 0; i < this.size; i++) yield this.#draft(i, random, writer);
  }

  #draft(index: number, random: Random, writer: SentenceWriter): Draft {
    writer.mentioned.length = 0;
    const subject = this.#subjectOf(index);
    const titled = random.chance(TITLE_SHARE);
    const planted = this.#planted(index, random, writer);
    const sentences: string[] = [];
    let rest = drawLength(random);
    for (const sentence of planted) rest -= countWords(sentence);

    if (titled || random.chance(DEFINITION_SHARE)) {
      const length = drawSentenceLength(random, Math.max(rest, 8));
      const sentence = writer.definition(subject, length, this.#drawEntities(index, length - 6, random));
      rest -= countWords(sentence);
      sentences.push(sentence);
    }
    while (rest >= 6 || sentences.length === 0) {
      const length = drawSentenceLength(random, Math.max(rest, 6));
      const sentence = random.chance(FACT_SHARE)
        ? this.#ownFact(index, length, random, writer)
        : writer.filler(length, this.#drawEntities(index, length, random));
      rest -= countWords(sentence);
      sentences.push(sentence);
    }
    // Never first: the first sentence is what a passage is about.
    for (const sentence of planted) sentences.splice(1 + random.below(sentences.length), 0, sentence);

    const id = passageId(index);
    const text = sentences.join(" ");
    const passage = titled ? { id, title: this.#names.of(subject), text } : { id, text };
    return { passage, names: [...writer.mentioned] };
  }

  #subjectOf(index: number): number {
    return this.#plan.subjects.get(index) ?? this.#space.subjectOf(index);
  }

  /** The sentences of the facts that the plan puts into a passage. */
  #planted(index: number, random: Random, writer: SentenceWriter): string[] {
    const facts = this.#plan.facts.get(index) ?? [];
    return facts.map(({ from, relation, to }) => {
      const bystanders = random.chance(0.25) ? [this.#space.draw(random)] : [];
      return writer.fact(from, RELATIONS[relation], to, 10 + random.below(8), bystanders);
    });
  }

  /** A fact that no question asks for. */
  #ownFact(index: number, length: number, random: Random, writer: SentenceWriter): string {
    const from = this.#drawEntity(index, random);
    const to = this.#space.neighbourOf(index, random);
    const relation = RELATIONS[drawRelation(random, this.#plan.asked.get(from) ?? [])];
    if (random.chance(VERB_SHARE)) return writer.factByVerb(from, relation, to, length);
    return writer.fact(from, relation, to, length, []);
  }

  /** One entity for eleven words or so. */
  #drawEntities(index: number, length: number, random: Random): number[] {
    const count = Math.max(0, Math.floor(length / 11 + random.fraction()));
    return Array.from({ length: count }, () => this.#drawEntity(index, random));
  }

  #drawEntity(index: number, random: Random): number {
    const kind = random.fraction();
    if (kind < 0.4) return this.#subjectOf(index);
    return kind < 0.55 ? this.#space.neighbourOf(index, random) : this.#space.draw(random);
  }
}

/** Words of a passage: LEAST_WORDS and a gamma distribution of shape 2, which is close to Wikipedia's spread. */
function drawLength(random: Random): number {
  const product = (1 - random.fraction()) * (1 - random.fraction());
  return Math.round(LEAST_WORDS - (MORE_WORDS / 2) * Math.log(product));
}

/** 8 to 29 words, the middle likelier; shorter when fewer are left. */
function drawSentenceLength(random: Random, left: number): number {
  const length = Math.round(8 + 10.75 * (random.fraction() + random.fraction()));
  return left - length < 6 ? Math.min(left, 30) : length;
}
