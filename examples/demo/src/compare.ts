/** A question asked of trigraph and of BM25 over the same passages. */
import type { Passage, RetrievedPassage, TriGraph } from "@trigraph/core";
import { titleOf } from "@trigraph/console/print";
import { Bm25 } from "./bm25.js";

export interface Question {
  readonly question: string;
  readonly id?: string;
  readonly answer?: string;
  readonly type?: string;
  /** Ids of the passages that together hold the evidence; absent when nobody has said. */
  readonly gold?: readonly string[];
}

/** A gold passage and where each ranking has it, 1 for the first; undefined where it is not found at all. */
export interface GoldRanks {
  readonly id: string;
  readonly title: string;
  readonly trigraph: number | undefined;
  readonly bm25: number | undefined;
}

export interface Comparison {
  readonly question: Question;
  /** The best k passages, explained. */
  readonly trigraph: readonly RetrievedPassage[];
  /** The best k passages; undefined when there are too few passages for BM25. */
  readonly bm25: readonly Passage[] | undefined;
  /** Undefined when the question has no gold. */
  readonly gold: readonly GoldRanks[] | undefined;
}

/** Both retrievers over one set of passages. */
export class Contest {
  readonly passages: ReadonlyMap<string, Passage>;
  readonly #trigraph: TriGraph;
  readonly #bm25: Bm25 | undefined;

  /** @param trigraph an index of the passages */
  constructor(passages: readonly Passage[], trigraph: TriGraph) {
    this.passages = new Map(passages.map((passage) => [passage.id, passage]));
    this.#trigraph = trigraph;
    this.#bm25 = Bm25.over(passages);
  }

  /** The passage with an id, which there must be. */
  readonly passageOf = (id: string): Passage => this.passages.get(id)!;

  async ask(question: Question, k: number): Promise<Comparison> {
    const trigraph = await this.#trigraph.retrieve(question.question, { k, explain: true });
    const bm25 = this.#bm25?.search(question.question, this.passages.size);
    return {
      question,
      trigraph,
      bm25: bm25?.slice(0, k).map(this.passageOf),
      gold: question.gold && (await this.#rankGold(question.question, question.gold, trigraph, bm25 ?? [])),
    };
  }

  async #rankGold(
    question: string,
    gold: readonly string[],
    top: readonly RetrievedPassage[],
    bm25: readonly string[],
  ): Promise<GoldRanks[]> {
    const inTop = new Set(top.map(({ passage }) => passage.id));
    const hits = gold.every((id) => inTop.has(id))
      ? top
      : await this.#trigraph.retrieve(question, { k: this.passages.size });
    // What has score 0 only fills up the k.
    const ranks = new Map(hits.filter(({ score }) => score > 0).map(({ passage, rank }) => [passage.id, rank]));
    return gold.map((id) => {
      const place = bm25.indexOf(id);
      return {
        id,
        title: titleOf(this.passageOf(id)),
        trigraph: ranks.get(id),
        bm25: place < 0 ? undefined : place + 1,
      };
    });
  }
}
