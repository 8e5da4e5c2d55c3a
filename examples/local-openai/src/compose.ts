/** Answers without a model: the sentences of the prompt that say most about the question. */
import type { Message } from "./requests.js";
import { wordsOf } from "./words.js";

/** Begins every answer: nobody shall take it for a model's. */
const PREAMBLE = "[a local test server that composes sentences of the prompt, not a language model]";

/** Sentences of an answer, at most. */
const SENTENCES = 3;

/** A sentence that says less than this share of what the best one says is left out. */
const MIN_SHARE = 0.5;

/** Labels before the question in the prompts of the frameworks. The last one counts. */
const QUESTION_LABELS = ["Question:", "Query:"];

/** `[1]` or `[a title]` at the start of a line: where the passage that begins there comes from. */
const SOURCE_MARK = /^\s*(\[[^\]\n]{1,80}\])/;

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });

interface Sentence {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  /** The source mark of its passage, or "". */
  readonly mark: string;
}

/**
 * The up to three sentences of the prompt that share most with the question, in the prompt's order, each with the
 * source mark of its passage. A shared word counts by its rarity, ln(1 + n / df) among the n sentences. Of equals the
 * earlier one comes first.
 */
export function compose(messages: readonly Message[]): string {
  const { question, context } = split(messages);
  const asked = new Set(wordsOf(question));
  const sentences = context.flatMap(sentencesOf);
  const frequency = new Map<string, number>();
  for (const { words } of sentences) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);

  const scored = sentences.map((sentence, position) => {
    const shared = [...sentence.words].filter((word) => asked.has(word));
    const score = shared.reduce((sum, word) => sum + Math.log(1 + sentences.length / frequency.get(word)!), 0);
    return { sentence, position, score };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.position - b.position);
  if (best.length === 0) return `${PREAMBLE} No sentence of the prompt shares a word with the question.`;
  const chosen = best.filter(({ score }) => score >= MIN_SHARE * best[0].score).slice(0, SENTENCES);
  const texts = chosen
    .sort((a, b) => a.position - b.position)
    .map(({ sentence: { text, mark } }) => (mark === "" ? text : `${text} ${mark}`));
  return `${PREAMBLE} ${texts.join(" ")}`;
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
      if (trimmed !== "") sentences.push({ text: trimmed, words: new Set(wordsOf(trimmed)), mark });
    }
  }
  return sentences;
}
