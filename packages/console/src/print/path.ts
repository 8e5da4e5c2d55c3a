/** An evidence path in words. */
import {
  EnglishAnalyzer,
  type EntityPlace,
  type Evidence,
  type EvidenceStep,
  type Passage,
  type Span,
} from "@trigraph/core";
import { oneLine } from "./names.js";

export interface PathInWords {
  /** From the question to the passage, names in between. */
  readonly stations: readonly string[];
  /** What links two names next to each other, in the order of the stations. */
  readonly links: readonly Link[];
}

/** Where two names meet: in a sentence, or at least in a passage. */
export interface Link {
  readonly passageId: string;
  /** Undefined when the names stand far apart. */
  readonly quote: Quote | undefined;
}

/** A text and where the names stand in it, in text order. */
export interface Quote {
  readonly text: string;
  readonly names: readonly Span[];
}

const analyzer = new EnglishAnalyzer();

/** Names further apart, in characters, are not quoted. */
const FAR = 200;

const SIMILARITY = {
  words: "shared words",
  vectors: "similar meaning",
  hybrid: "similar words and meaning",
  priors: "another retriever",
  fill: "nothing in common",
} as const;

/** @param passageOf the passage with an id */
export function describePath(question: string, evidence: Evidence, passageOf: (id: string) => Passage): PathInWords {
  if (evidence.via !== "graph") return { stations: ["question", SIMILARITY[evidence.via], "here"], links: [] };
  const { seed, steps, arrival } = evidence;
  const nameAt = ({ field, span, passageId }: EntityPlace) => {
    const { text, title = "" } = passageOf(passageId);
    return oneLine((field === "text" ? text : title).slice(span.start, span.end));
  };
  const start =
    seed.kind === "entity"
      ? [oneLine(question.slice(seed.span.start, seed.span.end))]
      : [SIMILARITY[seed.via], nameAt(seed.place)];
  const isTitled = arrival.defines && passageOf(arrival.passageId).title !== undefined;
  const links = steps.map((step) => linkOf(step, passageOf(step.from.passageId)));
  if (seed.kind === "passage") {
    links.unshift({ passageId: seed.passageId, quote: quoteAround([seed.place], passageOf(seed.passageId).text) });
  }
  return {
    stations: ["question", ...start, ...steps.map(({ to }) => nameAt(to)), isTitled ? "here (title)" : "here"],
    links,
  };
}

function linkOf(step: EvidenceStep, passage: Passage): Link {
  const places = [step.from, step.to];
  const passageId = passage.id;
  if (step.via === "passage") return { passageId, quote: quoteAround(places, passage.text) };
  const { text, span } = step.sentence;
  const names = spansInText(places).map(({ start, end }) => ({ start: start - span.start, end: end - span.start }));
  return { passageId, quote: { text, names } };
}

/** The sentences of the text from the first to the last of the places. */
function quoteAround(places: readonly EntityPlace[], text: string): Quote | undefined {
  const names = spansInText(places);
  const first = names.at(0);
  const last = names.at(-1);
  if (first === undefined || last === undefined || last.end - first.start > FAR) return undefined;
  const { sentences } = analyzer.analyze(text);
  const from = sentences.filter(({ start }) => start <= first.start).at(-1)?.start ?? 0;
  const end = sentences.find((sentence) => sentence.end >= last.end)?.end ?? text.length;
  return {
    text: text.slice(from, end),
    names: names.map(({ start, end }) => ({ start: start - from, end: end - from })),
  };
}

function spansInText(places: readonly EntityPlace[]): Span[] {
  return places
    .filter(({ field }) => field === "text")
    .map(({ span }) => span)
    .sort((a, b) => a.start - b.start);
}
