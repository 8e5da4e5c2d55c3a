import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";

import type { Span, TermSpan, TextAnalysis, TextAnalyzer, Token, UntaggedAnalysis } from "./analyzer.js";
import { findMentions } from "./entities.js";
import { ItemKind, scan, type Items } from "./scanner.js";
import { splitSentences, type ItemRange } from "./sentences.js";
import { SentenceTags } from "./tags.js";
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
    const reading = new Reading(text);
    const { sentences, tokens, mentions } = reading.analysis();
    return { sentences, tokens: reading.withPartsOfSpeech(tokens), mentions };
  }

  /** What `analyze` finds, but for the parts of speech: most sentences need not be tagged for it. */
  analyzeUntagged(text: string): UntaggedAnalysis {
    return new Reading(text).analysis();
  }

  /** The tokens of a text alone; never throws, whatever the string. */
  tokenize(text: string): TermSpan[] {
    return new Words(text).tokens();
  }
}

/** A text cut into its items, with what the dictionary knows of its words. */
class Words {
  readonly text: string;
  readonly items: Items;
  /** At the index of their item. */
  readonly words: readonly (Word | undefined)[];

  constructor(text: string) {
    const { book } = (shared ??= createShared());
    this.text = text;
    this.items = scan(text);
    this.words = lookUpWords(text, this.items, book);
  }

  tokens(): TermSpan[] {
    const tokens: TermSpan[] = [];
    for (let i = 0; i < this.items.count; i++) {
      const start = this.items.starts[i];
      const end = this.items.ends[i];
      const word = this.words[i];
      if (word !== undefined) {
        if (word.term !== "") tokens.push({ start, end, term: word.term });
      } else if (this.items.kinds[i] === ItemKind.Spaceless) pushBigrams(tokens, this.text, start, end);
    }
    return tokens;
  }
}

class Reading extends Words {
  readonly sentences: readonly ItemRange[];
  readonly tags: SentenceTags;

  constructor(text: string) {
    super(text);
    const { tagger } = (shared ??= createShared());
    this.sentences = splitSentences(text, this.items);
    this.tags = new SentenceTags(text, this.items, this.sentences, this.words, tagger);
  }

  analysis(): UntaggedAnalysis {
    return {
      sentences: this.sentences.map((sentence) => spanOf(this.items, sentence)),
      tokens: this.tokens(),
      mentions: findMentions(this.text, this.items, this.sentences, this.words, this.tags),
    };
  }

  withPartsOfSpeech(tokens: readonly TermSpan[]): Token[] {
    let item = 0;
    return tokens.map(({ start, end, term }) => {
      while (this.items.ends[item] < end) item++;
      return { start, end, term, pos: this.words[item] === undefined ? "X" : this.tags.at(item) };
    });
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

function spanOf(items: Items, sentence: ItemRange): Span {
  return { start: items.starts[sentence.first], end: items.ends[sentence.end - 1] };
}
