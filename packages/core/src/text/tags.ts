import { ItemKind, type Items } from "./scanner.js";
import type { ItemRange } from "./sentences.js";
import type { Tagger, Word } from "./words.js";

/** Punctuation the tagger reads as it is; the rest it is spared. */
const PUNCTUATION: ReadonlySet<string> = new Set([".", ",", ";", ":", "?", "!", "(", ")"]);

/**
 * Part-of-speech tags of a text's items: `"X"` for what the tagger cannot judge, and `""` for what
 * is no word. A sentence is tagged as a whole and by itself, when the tag of one of its items is
 * first asked for: tagging is the dearest part of reading a text, and names seldom need it.
 */
export class SentenceTags {
  readonly #text: string;
  readonly #items: Items;
  readonly #sentences: readonly ItemRange[];
  readonly #words: readonly (Word | undefined)[];
  readonly #tagger: Tagger;
  /** By item; undefined in sentences not tagged yet. */
  readonly #tags: (string | undefined)[];

  constructor(
    text: string,
    items: Items,
    sentences: readonly ItemRange[],
    words: readonly (Word | undefined)[],
    tagger: Tagger,
  ) {
    this.#text = text;
    this.#items = items;
    this.#sentences = sentences;
    this.#words = words;
    this.#tagger = tagger;
    this.#tags = [];
  }

  /** The item's tag; `""` outside the sentences. */
  at(index: number): string {
    const known = this.#tags[index];
    if (known !== undefined) return known;
    const sentence = this.#sentenceOf(index);
    if (sentence === undefined) return "";
    this.#tagSentence(sentence);
    return this.#tags[index] ?? "";
  }

  #sentenceOf(index: number): ItemRange | undefined {
    let low = 0;
    let high = this.#sentences.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sentences[middle].end <= index) low = middle + 1;
      else high = middle;
    }
    const sentence = this.#sentences[low] as ItemRange | undefined;
    return sentence !== undefined && sentence.first <= index ? sentence : undefined;
  }

  #tagSentence({ first, end }: ItemRange): void {
    const forms: string[] = [];
    const owners: number[] = [];
    let lastWord = end - 1;
    while (this.#items.kinds[lastWord] === ItemKind.Symbol) lastWord--;
    for (let i = first; i < end; i++) {
      const kind = this.#items.kinds[i];
      const form = this.#formOf(i, lastWord);
      this.#tags[i] = kind === ItemKind.Word || kind === ItemKind.Spaceless ? "X" : "";
      if (form === "") continue;
      forms.push(form);
      owners.push(i);
    }
    if (forms.length === 0) return;
    const found = this.#tagger.tag(forms.join(" "));
    // Every form is one token to the tagger; if one should not be, each word has the tag it has by itself.
    const aligned = found.length === forms.length;
    for (let k = 0; k < forms.length; k++) {
      this.#tags[owners[k]] = aligned ? found[k] : this.#tagger.tag(forms[k])[0];
    }
  }

  #formOf(index: number, lastWord: number): string {
    switch (this.#items.kinds[index]) {
      case ItemKind.Word:
        return this.#words[index]?.form ?? "";
      case ItemKind.Possessive:
        return "'s";
      case ItemKind.Symbol: {
        const symbol = this.#text[this.#items.starts[index]];
        // Within a sentence a period belongs to an abbreviation or an initial.
        if (symbol === "." && index < lastWord) return "";
        return PUNCTUATION.has(symbol) ? symbol : "";
      }
      default:
        return "";
    }
  }
}
