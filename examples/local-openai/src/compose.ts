/** Answers without a model: the sentences of the prompt that say most about the question. */
import type { Message } from "./requests.js";
import { wordsOf } from "./words.js";

/** Begins every answer: nobody shall take it for a model's. */
const PREAMBLE = "[a local test server that composes sentences of the prompt, not a language model]";

/** Sentences of an answer, at most. */
const SENTENCES = 3;

/** A sentence that scores less than this share of what the first one chosen scores is left out. */
const MIN_SHARE = 0.5;

/** Labels before the question in the prompts of the frameworks. The last one counts. */
const QUESTION_LABELS = ["Question:", "Query:"];

/** `[1]` or `[a title]` at the start of a line: where the passage that begins there comes from. */
const SOURCE_MARK = /^\s*(\[[^\]\n]{1,80}\])/;

const CAPITALISED = /(?<!\p{L})\p{Lu}\p{L}*/gu;

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });

interface Sentence {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** Those of the words that are written with a capital. */
  readonly names: readonly string[];
  /** The source mark of its passage, or "". */
  readonly mark: string;
}

/**
 * Up to three sentences of the prompt, in its order, each with the source mark of its passage. They are chosen one after
 * the other, the one that shares most with the question first; the names in a chosen sentence count as asked for from
 * then on, so that the answer follows a chain of passages. A shared word counts by its rarity, ln(1 + n / df) among the n
 * sentences. Of equals the earlier one comes first.
 */
export function compose(messages: readonly Message[]): string {
  const { question, context } = split(messages);
  const chosen = choose(context.flatMap(sentencesOf), new Set(wordsOf(question)));
  if (chosen.length === 0) return `${PREAMBLE} No sentence of the prompt shares a word with the question.`;
  const texts = chosen.map(({ text, mark }) => (mark === "" ? text : `${text} ${mark}`));
  return `${PREAMBLE} ${texts.join(" ")}`;
}

/** @param wanted words that are asked for @returns sentences in their order */
function choose(sentences: readonly Sentence[], wanted: Set<string>): Sentence[] {
  const frequency = new Map<string, number>();
  for (const { words } of sentences) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const scoreOf = ({ words }: Sentence) =>
    [...words]
      .filter((word) => wanted.has(word))
      .reduce((sum, word) => sum + Math.log(1 + sentences.length / frequency.get(word)!), 0);

  const chosen = new Set<Sentence>();
  let least = 0;
  while (chosen.size < SENTENCES) {
    const left = sentences.filter((sentence) => !chosen.has(sentence));
    const scored = left.map((sentence) => ({ sentence, score: scoreOf(sentence) }));
    const [best] = scored.sort((a, b) => b.score - a.score);
    if (best === undefined || best.score === 0 || best.score < least) break;
    if (chosen.size === 0) least = MIN_SHARE * best.score;
    chosen.add(best.sentence);
    for (const name of best.sentence.names) wanted.add(name);
  }
  return sentences.filter((sentence) => chosen.has(sentence));
}

/** The last user message, or the last message when no user speaks. */
export function lastUserMessage(messages: readonly Message[]): Message {
  return messages.filter(({ role }) => role === "user").at(-1) ?? messages.at(-1)!;
}

/** The question, and every other text of the prompt but what the assistant said. */
function split(messages: readonly Message[]): { question: string; context: string[] } {
  const asking = lastUserMessage(messages);
  const others = messages
    .filter((message) => message !== asking && message.role !== "assistant")
    .map(({ content }) => content);
  const { content } = asking;
  const start = Math.max(...QUESTION_LABELS.map((label) => content.lastIndexOf(label)));
  if (start < 0) {
    // Without a label a message of several lines carries its context before the question, which ends it.
    const lines = content.trimEnd().split("\n");
    return { question: lines.at(-1)!, context: [...others, lines.slice(0, -1).join("\n")] };
  }
  const labelled = content.slice(content.indexOf(":", start) + 1).trimStart();
  const question = labelled.split("\n", 1)[0];
  return { question, context: [...others, content.slice(0, start)] };
}

/** A sentence ends with a line; a mark holds until the next mark or empty line. */
function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let mark = "";
  for (const line of text.split("\n")) {
    const found = SOURCE_MARK.exec(line);
    if (found !== null) mark = found[1];
    else if (line.trim() === "") mark = "";
    const unmarked = found === null ? line : line.slice(found[0].length);
    for (const { segment } of sentenceSegmenter.segment(unmarked)) {
      const trimmed = segment.trim();
      if (trimmed === "") continue;
      const names = trimmed.match(CAPITALISED) ?? [];
      sentences.push({ text: trimmed, words: new Set(wordsOf(trimmed)), names: names.flatMap(wordsOf), mark });
    }
  }
  return sentences;
}
