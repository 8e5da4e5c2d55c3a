import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";

import type { Span, TermSpan, TextAnalysis, TextAnalyzer, Token } from "./analyzer.js";
import { findMentions } from "./entities.js";
import { ItemKind, scan, type Items } from "./scanner.js";
import { splitSentences, type ItemRange } from "./sentences.js";
import { tagSentences } from "./tags.js";
import { pushBigrams } from "./tokens.js";
import { WordBook, type Tagger, type Word } from "./words.js";

/**
 * English text: sentences, words and names, with part-of-speech tags by wink-nlp. Other languages
 * give sentences and tokens (scripts without spaces as pairs of characters), and as names what is
 * capitalised.
 *
 * Pure: the analysis depends on the text alone. wink-nlp by itself is not pure, since its cache
 * lets one text change how the next is cut into tokens; so the text is cut here, and wink-nlp only
 * tags words it cannot cut (see `words.ts`). Linear in the length of the text. Instances share one
 * tagger, made at the first call (about 0.2 s), and cost nothing.
 */
export class EnglishAnalyzer implements TextAnalyzer {
  readonly id = "english-wink/1";

  /** Analyses a text; never throws, whatever the string. */
  analyze(text: string): TextAnalysis {
    const { tagger, book } = (shared ??= createShared());
    const items = scan(text);
    const words = lookUpWords(text, items, book);
    const sentences = splitSentences(text, items);
    const tags = tagSentences(text, items, sentences, words, tagger);
    return {
      sentences: sentences.map((sentence) => spanOf(items, sentence)),
      tokens: collectTokens(text, items, words, tags),
      mentions: findMentions(text, items, sentences, words, tags),
    };
  }

  /** The tokens of a text without tagging it; never throws, whatever the string. */
  tokenize(text: string): TermSpan[] {
    const { book } = (shared ??= createShared());
    const items = scan(text);
    return collectTokens(text, items, lookUpWords(text, items, book), undefined);
  }
}

interface Shared {
  readonly tagger: Tagger;
  readonly book: WordBook;
}

/** One for the process: wink-nlp takes its time to start, and can be instantiated only some dozens of times (each instance re-encodes one of the model's strings in place). */
let shared: Shared | undefined;

function createShared(): Shared {
  const tagger = createTagger();
  return { tagger, book: new WordBook(tagger) };
}

/** The parts of the model that are read here; its own types leave them open. */
interface CoreModel {
  readonly features: { readonly lexeme: { readonly list: readonly string[] } };
}

function createTagger(): Tagger {
  const core = (model as unknown as { core(): CoreModel }).core();
  // Before wink-nlp gets the list: it appends the words it meets.
  const dictionary = new Set(core.features.lexeme.list);
  // The pattern model is needed for custom entities alone, and loading it is what makes instances finite.
  const metaCER = () => ({ machines: "[]", transformers: [] });
  const nlp = winkNLP({ ...model, core: () => core, metaCER }, ["pos"]);
  // eslint-disable-next-line @typescript-eslint/unbound-method -- wink-nlp's mappers are plain functions
  const { pos } = nlp.its;
  const tag = (forms: string): string[] => nlp.readDoc(forms).tokens().out(pos);
  return {
    tag,
    // Contractions ("cannot") are in the dictionary, but several tokens.
    knows: (word) => dictionary.has(word) && tag(word).length === 1,
  };
}

function lookUpWords(text: string, items: Items, book: WordBook): (Word | undefined)[] {
  const words = new Array<Word | undefined>(items.count).fill(undefined);
  for (let i = 0; i < items.count; i++) {
    if (items.kinds[i] === ItemKind.Word) words[i] = book.lookUp(text, items.starts[i], items.ends[i]);
  }
  return words;
}

function collectTokens(
  text: string,
  items: Items,
  words: readonly (Word | undefined)[],
  tags: readonly string[] | undefined,
): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < items.count; i++) {
    const start = items.starts[i];
    const end = items.ends[i];
    const word = words[i];
    if (word !== undefined) {
      if (word.term !== "") tokens.push({ start, end, term: word.term, pos: tags?.[i] ?? "X" });
    } else if (items.kinds[i] === ItemKind.Spaceless) pushBigrams(tokens, text, start, end);
  }
  return tokens;
}

function spanOf(items: Items, sentence: ItemRange): Span {
  return { start: items.starts[sentence.first], end: items.ends[sentence.end - 1] };
}
