import type { Items } from "./scanner.js";
import { Caps, type Word } from "./words.js";

/** A text's items with what is known of them: the input of the search for names. */
export class TaggedText {
  readonly text: string;
  readonly items: Items;
  /** The words, at the index of their item. */
  readonly words: readonly (Word | undefined)[];
  /** Part-of-speech tags by item; empty for what is no word. */
  readonly tags: readonly string[];

  constructor(text: string, items: Items, words: readonly (Word | undefined)[], tags: readonly string[]) {
    this.text = text;
    this.items = items;
    this.words = words;
    this.tags = tags;
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
