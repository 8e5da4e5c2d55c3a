/**
 * Seeds by name: the question's token n-grams that are an entity's normalised name, longest first. Finds
 * what a tagger misses in a question: lower-case names, titles of works, names that it splits. Equation 3
 * with similarity 1.
 */
import type { View } from "../index/view.js";
import type { Question } from "../lexical/question.js";
import { isFunctionWord } from "../text/function-words.js";
import type { Span } from "../text/analyzer.js";
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
}

/** Seeds in the order of the question. No two overlap. */
export function seedsByName(view: View, question: Question, options: NgramSeedOptions): NamedSeed[] {
  const { tokens } = question.analysis;
  const taken = new Uint8Array(tokens.length);
  const seeds = new Map<number, NamedSeed>();
  for (let length = Math.min(options.maxNameTokens, tokens.length); length >= 1; length--) {
    for (let first = 0; first + length <= tokens.length; first++) {
      if (taken[first] === 1 || taken[first + length - 1] === 1) continue;
      const span = { start: tokens[first].start, end: tokens[first + length - 1].end };
      const name = normalizeName(question.text.slice(span.start, span.end));
      if (name === "") continue;
      const entity = stableKey(name);
      const degree = view.entityDegree(entity);
      if (degree === 0 || !isTelling(name, degree, view, options)) continue;
      taken.fill(1, first, first + length);
      if (!seeds.has(entity)) seeds.set(entity, { entity, activation: 1, span });
    }
  }
  return [...seeds.values()].sort((a, b) => a.span.start - b.span.start);
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
