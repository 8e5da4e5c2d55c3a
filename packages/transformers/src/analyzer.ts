import {
  analyzeUntagged,
  type AsyncTextAnalyzer,
  EnglishAnalyzer,
  type EntityMention,
  InvalidArgumentError,
  normalizeName,
  show,
  tokenize,
  type TermSpan,
  type TextAnalysis,
  type TextAnalyzer,
  type UntaggedAnalysis,
} from "@trigraph/core";
import { DEFAULT_MENTIONS } from "./defaults.js";
import { joinMentions } from "./entities/join.js";
import { Recognizer } from "./entities/recognizer.js";
import { checkModelOptions, modelId, type ModelOptions } from "./options.js";
import { SharedModel } from "./shared-model.js";
import { Turns } from "./turns.js";

export interface TransformersAnalyzerOptions extends ModelOptions {
  /**
   * `"replace"`: the model's entities in place of the other analyzer's mentions. `"join"`: both, and of two that overlap
   * the longer. Default `"join"`: years and quoted titles are found by rules.
   */
  readonly mentions?: "replace" | "join" | undefined;
  /** Finds sentences and words, and the mentions to join. Default: `EnglishAnalyzer`. */
  readonly base?: TextAnalyzer | undefined;
  /** Types of entities that count, as the model calls them: `["PER", "LOC"]`. Default: all. */
  readonly types?: readonly string[] | undefined;
}

const METHOD = "TransformersAnalyzer";

/**
 * Entity mentions by a token-classification model of BERT's kind (`"Xenova/bert-base-NER"`), for text whose names the
 * rules do not find: without capitals, or in another language. Sentences and words are those of another analyzer.
 *
 * Pure, as analyzers must be: the model is given one window of one text at a time, so what it says depends on the text
 * alone. Instances with the same options share one model in memory.
 */
export class TransformersAnalyzer implements AsyncTextAnalyzer {
  readonly id: string;
  readonly #options: TransformersAnalyzerOptions;
  readonly #base: TextAnalyzer;
  readonly #shared: SharedModel;
  #recognizer: Recognizer | undefined;

  /** Loads nothing: `load` or the first text does. @throws InvalidArgumentError */
  constructor(options: TransformersAnalyzerOptions) {
    checkModelOptions(METHOD, options, ["mentions", "base", "types"]);
    const { mentions = DEFAULT_MENTIONS, base = new EnglishAnalyzer(), types } = options;
    if (mentions !== "replace" && mentions !== "join") {
      throw new InvalidArgumentError(`${METHOD}: expected mentions "replace" or "join", got ${show(mentions)}.`);
    }
    if (types !== undefined && !(Array.isArray(types) && types.every((type) => typeof type === "string"))) {
      throw new InvalidArgumentError(`${METHOD}: expected types to be an array of strings, got ${show(types)}.`);
    }
    const settings = types === undefined ? [mentions] : [mentions, JSON.stringify([...types].sort())];
    this.id = `${base.id} + ${modelId(options, settings)}`;
    this.#options = options;
    this.#base = base;
    this.#shared = new SharedModel(METHOD, "entities", options);
  }

  /**
   * Loads the model. @throws ModelError, also for a model of another kind; InvalidArgumentError, ClosedError, or the
   * signal's reason
   */
  async load({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#load(signal);
  }

  tokenize(text: string): readonly TermSpan[] {
    return tokenize(this.#base, text);
  }

  /** An analyzer of these texts and no others. @throws as `load`; the signal is heeded between windows of a text */
  async read(texts: readonly string[], { signal }: { signal?: AbortSignal | undefined } = {}): Promise<TextAnalyzer> {
    const turns = new Turns();
    const mentions = new Map<string, readonly EntityMention[]>();
    for (const text of new Set(texts)) {
      const analysis = analyzeUntagged(this.#base, text);
      const found = await this.#mentionsIn(text, analysis, turns, signal);
      const { mentions: how = DEFAULT_MENTIONS } = this.#options;
      mentions.set(text, how === "replace" ? found : joinMentions(found, analysis.mentions));
    }
    return new ReadTexts(this.id, this.#base, mentions);
  }

  /** Gives the model's memory back once nobody else uses it. What is asked of the analyzer later rejects. */
  async dispose(): Promise<void> {
    await this.#shared.dispose();
  }

  async #load(signal: AbortSignal | undefined): Promise<Recognizer> {
    const model = await this.#shared.load(signal);
    this.#recognizer ??= new Recognizer(METHOD, model, this.#options.maxTokens ?? model.maxTokens);
    return this.#recognizer;
  }

  async #mentionsIn(
    text: string,
    { sentences }: UntaggedAnalysis,
    turns: Turns,
    signal: AbortSignal | undefined,
  ): Promise<EntityMention[]> {
    const recognizer = await this.#load(signal);
    const { types } = this.#options;
    const spans = await recognizer.find(text, sentences, () => turns.next(signal));
    return spans
      .filter(({ type }) => types?.includes(type) ?? true)
      .map(({ start, end }) => ({ start, end, name: normalizeName(text.slice(start, end)) }))
      .filter(({ name }) => name !== "");
  }
}

/** Analyses of texts whose mentions are known. */
class ReadTexts implements TextAnalyzer {
  readonly id: string;
  readonly #base: TextAnalyzer;
  readonly #mentions: ReadonlyMap<string, readonly EntityMention[]>;

  constructor(id: string, base: TextAnalyzer, mentions: ReadonlyMap<string, readonly EntityMention[]>) {
    this.id = id;
    this.#base = base;
    this.#mentions = mentions;
  }

  analyze(text: string): TextAnalysis {
    return { ...this.#base.analyze(text), mentions: this.#mentionsOf(text) };
  }

  analyzeUntagged(text: string): UntaggedAnalysis {
    return { ...analyzeUntagged(this.#base, text), mentions: this.#mentionsOf(text) };
  }

  tokenize(text: string): readonly TermSpan[] {
    return tokenize(this.#base, text);
  }

  #mentionsOf(text: string): readonly EntityMention[] {
    const mentions = this.#mentions.get(text);
    if (mentions !== undefined) return mentions;
    throw new InvalidArgumentError(`${METHOD}: expected a text that was read, got ${show(text)}. Give it to read().`);
  }
}
