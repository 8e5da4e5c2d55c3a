import { ItemKind, type Items } from "./scanner.js";
import type { ItemRange } from "./sentences.js";
import type { Tagger, Word } from "./words.js";

/** Forms after which the window being filled is tagged when the sentence ends. A sentence is never parted; its length is bounded. */
const WINDOW_FORMS = 256;

/** Punctuation the tagger reads as it is; the rest it is spared. */
const PUNCTUATION: ReadonlySet<string> = new Set([".", ",", ";", ":", "?", "!", "(", ")"]);

/**
 * Part-of-speech tags of the items of all sentences: `"X"` for what the tagger cannot judge, and
 * `""` for what is no word. Windows begin and end with sentences, so that what is tagged together
 * depends on the text alone.
 */
export function tagSentences(
  text: string,
  items: Items,
  sentences: readonly ItemRange[],
  words: readonly (Word | undefined)[],
  tagger: Tagger,
): string[] {
  const tags = new Array<string>(items.count).fill("");
  let forms: string[] = [];
  let owners: number[] = [];
  const flush = (): void => {
    if (forms.length > 0) tagWindow(tags, forms, owners, tagger);
    forms = [];
    owners = [];
  };
  for (const { first, end } of sentences) {
    let lastWord = end - 1;
    while (items.kinds[lastWord] === ItemKind.Symbol) lastWord--;
    for (let i = first; i < end; i++) {
      const form = formOf(text, items, words, i, lastWord);
      if (form !== "") {
        forms.push(form);
        owners.push(i);
      } else if (items.kinds[i] === ItemKind.Word || items.kinds[i] === ItemKind.Spaceless) tags[i] = "X";
    }
    if (forms.length >= WINDOW_FORMS) flush();
  }
  flush();
  return tags;
}

function formOf(
  text: string,
  items: Items,
  words: readonly (Word | undefined)[],
  index: number,
  lastWord: number,
): string {
  switch (items.kinds[index]) {
    case ItemKind.Word:
      return words[index]?.form ?? "";
    case ItemKind.Possessive:
      return "'s";
    case ItemKind.Symbol: {
      const symbol = text[items.starts[index]];
      // Within a sentence a period belongs to an abbreviation or an initial.
      if (symbol === "." && index < lastWord) return "";
      return PUNCTUATION.has(symbol) ? symbol : "";
    }
    default:
      return "";
  }
}

function tagWindow(tags: string[], forms: readonly string[], owners: readonly number[], tagger: Tagger): void {
  const found = tagger.tag(forms.join(" "));
  // Every form is one token to the tagger; if one should not be, each word has the tag it has by itself.
  const aligned = found.length === forms.length;
  for (let k = 0; k < forms.length; k++) tags[owners[k]] = aligned ? found[k] : tagger.tag(forms[k])[0];
}
