/** Entities of a text by a token-classification model, as spans of characters. */
import type { Span } from "@trigraph/core";
import { WINDOW_OVERLAP } from "../defaults.js";
import { ModelError } from "../errors.js";
import type { Model, Output } from "../model.js";
import { readTags, type Tag, toSpans } from "./bio.js";
import { splitUnits } from "./units.js";
import { clearestWindows, type Window, windowsOf } from "./windows.js";

/** An entity and what the model calls it, as in `"PER"`. */
export interface EntitySpan extends Span {
  readonly type: string;
}

export class Recognizer {
  readonly #owner: string;
  readonly #model: Model;
  readonly #tags: readonly Tag[];
  /** Special pieces before and behind a text. */
  readonly #opening: readonly number[];
  readonly #closing: readonly number[];
  readonly #capacity: number;

  /** @throws ModelError on a model of another kind */
  constructor(owner: string, model: Model, maxTokens: number) {
    this.#owner = owner;
    this.#model = model;
    this.#tags = readTags(owner, model.name, model.config.id2label);
    const { type } = (model.tokenizer as unknown as { model: { config: { type?: unknown } } }).model.config;
    const special = model.encode("").ids;
    if (type !== "WordPiece" || special.length !== 2) {
      throw new ModelError(
        "MODEL",
        `${owner}: expected a model of BERT's kind, whose tokenizer is WordPiece, got ${model.name} with ${String(type)}. Others do not tell which characters a piece stands for.`,
      );
    }
    this.#opening = special.slice(0, 1);
    this.#closing = special.slice(1);
    this.#capacity = Math.max(1, maxTokens - special.length);
  }

  /**
   * In text order, without overlap. A word has the label of its first piece, in the window where most is around it.
   *
   * @param sentences in order; no entity reaches from one into the next
   */
  async find(text: string, sentences: readonly Span[], between: () => Promise<void>): Promise<EntitySpan[]> {
    const units = splitUnits(text)
      .map((span) => ({ ...span, pieces: this.#model.pieces(text.slice(span.start, span.end)) }))
      // Control characters have no pieces.
      .filter(({ pieces }) => pieces.length > 0)
      .map((unit) => ({ ...unit, pieces: unit.pieces.slice(0, this.#capacity) }));
    if (units.length === 0) return [];
    const lengths = units.map(({ pieces }) => pieces.length);
    const windows = windowsOf(lengths, this.#capacity, Math.floor(this.#capacity * WINDOW_OVERLAP));
    const tags: Tag[][] = [];
    for (const window of windows) {
      await between();
      tags.push(await this.#tagsIn(window, units));
    }
    const clearest = clearestWindows(windows, units.length);
    const best = units.map((_, u) => tags[clearest[u]][u - windows[clearest[u]].first]);
    const sentenceOf = sentencesOf(units, sentences);
    return toSpans(best, (u) => sentenceOf[u] !== sentenceOf[u - 1])
      .filter(({ first }) => sentenceOf[first] >= 0)
      .map(({ first, end, type }) => ({ start: units[first].start, end: units[end - 1].end, type }));
  }

  /** The tag of each unit of the window. */
  async #tagsIn({ first, end }: Window, units: readonly { readonly pieces: readonly number[] }[]): Promise<Tag[]> {
    const inside = units.slice(first, end).map(({ pieces }) => pieces);
    const ids = [...this.#opening, ...inside.flat(), ...this.#closing];
    const logits = await this.#model.run(this.#owner, { ids, types: undefined }, ["logits"]);
    let piece = this.#opening.length;
    return inside.map(({ length }) => {
      const tag = this.#tags[greatest(logits, piece)];
      piece += length;
      return tag;
    });
  }
}

/** The index of the greatest number in a row; the first of equals. @param logits `dims` [1, pieces, labels] */
function greatest({ dims, data }: Output, row: number): number {
  const labels = dims[2];
  let best = row * labels;
  for (let i = best + 1; i < (row + 1) * labels; i++) if (data[i] > data[best]) best = i;
  return best - row * labels;
}

/** The sentence that each unit lies in, -1 for none. */
function sentencesOf(units: readonly Span[], sentences: readonly Span[]): Int32Array {
  let s = 0;
  return Int32Array.from(units, ({ start, end }) => {
    while (s < sentences.length && sentences[s].end <= start) s++;
    return s < sentences.length && sentences[s].start <= start && end <= sentences[s].end ? s : -1;
  });
}
