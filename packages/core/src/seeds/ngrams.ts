/**
 * Seeds by name: the question's token n-grams that are an entity's normalised name, longest first. Finds
 * what a tagger misses in a question: lower-case names, titles of works, names that it splits. Equation 3
 * with similarity 1.
 */
import type { View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { Question } from "../lexical/question.js";
import { isFunctionWord } from "../text/function-words.js";
import type { Span, TermSpan } from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";
import { normalizeName } from "../text/names.js";
import type { Seed } from "../activation/activate.js";

export interface NgramSeedOptions {
  /** Most tokens of a name that is looked for. */
  readonly maxNameTokens: number;
  /** A word in more than this share of the passages is too plain to be a name by itself, */
  readonly maxSeedShare: number;
  /** unless it is in no more passages than this. */
  readonly minSeedPassages: number;
  /** Least share of a word's passages in which it must be the entity's name. */
  readonly minNameUse: number;
}

/** A seed and where the question names it. */
export interface NamedSeed extends Seed {
  readonly span: Span;
  /** Where it names it again. */
  readonly repeats: readonly Span[];
}

/** No question is longer; of a pasted document the beginning names what it is about. */
const MAX_TOKENS = 512;

/** Seeds in the order of the question. No two overlap. */
export function seedsByName(
  view: View,
  question: Question,
  visibility: Visibility,
  options: NgramSeedOptions,
): NamedSeed[] {
  const tokens = question.tokens.slice(0, MAX_TOKENS);
  const names = new NgramNames(question.text, tokens);
  const taken = new Uint8Array(tokens.length);
  const seeds = new Map<number, Omit<NamedSeed, "repeats"> & { repeats: Span[] }>();
  for (let length = Math.min(options.maxNameTokens, tokens.length); length >= 1; length--) {
    for (let first = 0; first + length <= tokens.length; first++) {
      const last = first + length - 1;
      if (taken[first] === 1 || taken[last] === 1) continue;
      const name = names.of(first, length);
      if (name === "") continue;
      const entity = stableKey(name);
      const degree = view.entityDegree(entity);
      if (degree === 0 || !isTelling(name, degree, view, options) || !visibility.seesEntity(entity)) continue;
      taken.fill(1, first, last + 1);
      // In scripts without spaces tokens overlap: the neighbours are in the name as well.
      for (let i = first - 1; i >= 0 && tokens[i].end > tokens[first].start; i--) taken[i] = 1;
      for (let i = last + 1; i < tokens.length && tokens[i].start < tokens[last].end; i++) taken[i] = 1;
      const span = withClosingBracket(question.text, tokens[first].start, tokens[last].end);
      const known = seeds.get(entity);
      if (known === undefined) seeds.set(entity, { entity, activation: 1, span, repeats: [] });
      else known.repeats.push(span);
    }
  }
  return [...seeds.values()].sort((a, b) => a.span.start - b.span.start);
}

/** "Summer Skin (Film" ends with a token; the bracket it opened belongs to it as well. */
function withClosingBracket(text: string, start: number, end: number): Span {
  const open = text.lastIndexOf("(", end - 1);
  const isOpen = open >= start && !text.slice(open, end).includes(")");
  return { start, end: isOpen && text[end] === ")" ? end + 1 : end };
}

const ARTICLES: ReadonlySet<string> = new Set(["the", "a", "an"]);

/**
 * `normalizeName` of every run of tokens. A run whose tokens are parted by single spaces is its words'
 * names joined, which saves normalising each word once for every run that it is in.
 */
class NgramNames {
  private readonly text: string;
  private readonly tokens: readonly TermSpan[];
  private readonly words: readonly string[];
  /** `breaks[i]`: gaps before token i that are no single space. */
  private readonly breaks: readonly number[];

  constructor(text: string, tokens: readonly TermSpan[]) {
    this.text = text;
    this.tokens = tokens;
    this.words = tokens.map(({ start, end }) => normalizeName(text.slice(start, end)));
    let breaks = 0;
    this.breaks = tokens.map(({ start }, i) => {
      if (i > 0 && (start !== tokens[i - 1].end + 1 || text[start - 1] !== " ")) breaks++;
      return breaks;
    });
  }

  of(first: number, length: number): string {
    const { words, tokens, breaks } = this;
    const last = first + length - 1;
    if (length === 1) return words[first];
    if (breaks[last] !== breaks[first]) return normalizeName(this.text.slice(tokens[first].start, tokens[last].end));
    let i = ARTICLES.has(words[first]) ? first + 1 : first;
    let name = words[i];
    while (i < last) name += ` ${words[++i]}`;
    return name;
  }
}

/** False for names that questions use as plain words: "film" is a title somewhere, and a plain word everywhere. */
function isTelling(name: string, degree: number, view: View, options: NgramSeedOptions): boolean {
  const words = name.split(" ");
  if (words.every(isFunctionWord)) return false;
  if (words.length > 1) return true;
  const uses = Math.max(degree, view.termDegree(name));
  if (uses > Math.max(options.minSeedPassages, options.maxSeedShare * view.passageCount)) return false;
  return degree >= options.minNameUse * uses;
}
