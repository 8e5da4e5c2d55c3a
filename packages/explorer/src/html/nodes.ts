/** The picture's nodes and what they are called: what page and script share. */
import { shortened, visible } from "./visible.js";
import type { Exploration, ExploredSeed, ExploredText, NodeId } from "../types.js";

export type NodeKind = "question" | "seed" | "sentence" | "bridge" | "carrier" | "passage";

/** A node as the script draws it. */
export interface PageNode {
  readonly id: NodeId;
  readonly kind: NodeKind;
  /** In the box. */
  readonly label: string;
  /** What a screen reader says. */
  readonly name: string;
}

/** What the script gets. */
export interface PageData {
  /** The question first, then by kind. */
  readonly nodes: readonly PageNode[];
  /** Of the passages, best first: ids from the question to the passage. */
  readonly paths: readonly (readonly NodeId[])[];
}

/** What each kind is called. */
export const KIND_NAMES: Readonly<Record<NodeKind, string>> = {
  question: "Question",
  seed: "Seed",
  sentence: "Sentence",
  bridge: "Bridge entity",
  carrier: "Passage on the way",
  passage: "Passage",
};

/** Characters of a label; the script's boxes have room for them. */
const LABEL_LENGTH = 22;
/** Characters of a name: a screen reader's listener can open the node for the rest. */
const NAME_LENGTH = 120;

export const VIA_NAMES = {
  words: "words in common",
  vectors: "similar vectors",
  hybrid: "words and vectors",
  priors: "another retriever",
  fill: "no relation: fills up the number asked for",
} as const;

export function pageData(exploration: Exploration): PageData {
  const { question, seeds, sentences, bridges, carriers, passages } = exploration;
  const titles = titlesOf(exploration);
  const nodes = [
    node("question", "question", question),
    ...seeds.map((seed) => node("seed", seed.id, seedLabel(seed, titles))),
    ...sentences.map(({ id, text }) => node("sentence", id, text)),
    ...bridges.map(({ id, entity }) => node("bridge", id, entity)),
    ...carriers.map(({ id, passageId }) => node("carrier", id, titles.get(passageId)!)),
    ...passages.map((passage) => node("passage", passage.id, `${passage.rank}. ${titleOf(passage)}`)),
  ];
  return { nodes, paths: passages.map(({ path }) => path) };
}

function node(kind: NodeKind, id: NodeId, text: string): PageNode {
  const shown = visible(text).replace(/\s+/g, " ").trim();
  return {
    id,
    kind,
    label: shortened(shown, LABEL_LENGTH),
    name: `${KIND_NAMES[kind]}: ${shortened(shown, NAME_LENGTH)}`,
  };
}

export function seedLabel(seed: ExploredSeed, titles: ReadonlyMap<string, string>): string {
  if (seed.kind === "entity") return seed.entity;
  return seed.kind === "passage" ? titles.get(seed.passageId)! : VIA_NAMES[seed.via];
}

/** Every text's title, or id where it has none, by id. */
export function titlesOf({ passages, sources }: Exploration): ReadonlyMap<string, string> {
  return new Map([...passages, ...sources].map((text) => [text.passageId, titleOf(text)]));
}

export function titleOf({ title, passageId }: Pick<ExploredText, "title" | "passageId">): string {
  return title === null || title.trim() === "" ? passageId : title;
}
