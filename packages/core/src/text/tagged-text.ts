import type { Items } from "./scanner.js";
import type { SentenceTags } from "./tags.js";
import { Caps, type Word } from "./words.js";

/** A text's items with what is known of them: the input of the search for names. */
export class TaggedText {
  readonly text: string;
  readonly items: Items;
  /** The words, at the index of their item. */
  readonly words: readonly (Word | undefined)[];
  readonly #tags: SentenceTags;

  constructor(text: string, items: Items, words: readonly (Word | undefined)[], tags: SentenceTags) {
    this.text = text;
    this.items = items;
    this.words = words;
    this.#tags = tags;
  }

  /** The item's part of speech; empty for what is no word, and beyond the ends. */
  tag(index: number): string {
    return this.#tags.at(index);
  }

  /** The folded word at the item; empty for what is no word, and beyond the ends. */
  term(index: number): string {
    return this.words[index]?.term ?? "";
  }

  /** The first UTF-16 unit of the item; 0 beyond the ends. */
  unit(index: number): number {
    return index >= 0 && index < this.items.count ? this.text.charCodeAt(this.items.starts[index]) : 0;
  }

  isCapitalised(index: number): boolean {
    return (this.words[index]?.caps ?? Caps.None) !== Caps.None;
  }
}
