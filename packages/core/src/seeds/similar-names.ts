/**
 * Seeds by similarity (equation 3): an entity that the question mentions is linked to the graph's entity
 * with the most similar name. Finds misspelt and shortened names ("Big Eye" for "Big Eyes").
 *
 * Similarity is the Dice coefficient of the names' character trigrams (Kondrak 2005, "N-gram similarity
 * and distance", the unpositioned case), padded so that beginnings count. Only entities that share a rare
 * word with the mention are compared, found through that word's passages, so no index of names is needed.
 */
import type { SegmentView, View } from "../index/view.js";
import type { Visibility } from "../index/visibility.js";
import type { Span } from "../text/analyzer.js";
import { normalizeName } from "../text/names.js";
import { stableKey } from "../text/keys.js";
import type { NamedSeed } from "./ngrams.js";

export interface SimilarSeedOptions {
  /** Least similarity, in (0, 1]. */
  readonly minNameSimilarity: number;
  /** A word in more passages than this leads to no candidates: it says too little. */
  readonly maxWordPassages: number;
}

/** The nearest entity of each mention. @param mentions spans of the question */
export function seedsBySimilarity(
  view: View,
  question: string,
  mentions: readonly Span[],
  visibility: Visibility,
  options: SimilarSeedOptions,
): NamedSeed[] {
  const seeds = new Map<number, NamedSeed>();
  for (const { start, end } of mentions) {
    const nearest = nearestEntity(view, normalizeName(question.slice(start, end)), visibility, options);
    if (nearest === undefined) continue;
    const { entity, similarity } = nearest;
    const known = seeds.get(entity);
    const span = { start, end };
    if (known === undefined || known.activation < similarity) {
      const repeats = known === undefined ? [] : [known.span, ...known.repeats];
      seeds.set(entity, { entity, activation: similarity, span, repeats });
    } else {
      seeds.set(entity, { ...known, repeats: [...known.repeats, span] });
    }
  }
  return [...seeds.values()];
}

/** The live entity most similar to the name; of equally similar ones the first by name. */
function nearestEntity(view: View, name: string, visibility: Visibility, options: SimilarSeedOptions) {
  const wanted = trigrams(name);
  let best: { entity: number; name: string; similarity: number } | undefined;
  const compared = new Set<number>();
  for (const word of new Set(name.split(" "))) {
    const degree = view.termDegree(word);
    if (degree === 0 || degree > options.maxWordPassages) continue;
    for (const part of view.parts) {
      for (const ordinal of entitiesBeside(part, word, visibility)) {
        const key = part.segment.arrays.entityKeys[ordinal];
        if (compared.has(key)) continue;
        compared.add(key);
        const candidate = part.segment.entityName(ordinal);
        const similarity = dice(wanted, trigrams(candidate));
        if (similarity < options.minNameSimilarity) continue;
        if (
          best === undefined ||
          similarity > best.similarity ||
          (similarity === best.similarity && candidate < best.name)
        ) {
          best = { entity: key, name: candidate, similarity };
        }
      }
    }
  }
  return best;
}

/** Ordinals of the entities in the visible passages that hold the word. */
function* entitiesBeside(
  { segment, passageBase }: SegmentView,
  word: string,
  visibility: Visibility,
): Iterable<number> {
  const term = segment.terms.find(stableKey(word));
  if (term < 0) return;
  const { postingIndptr, postingPassages, containIndptr, containEntities } = segment.arrays;
  for (let i = postingIndptr[term]; i < postingIndptr[term + 1]; i++) {
    const passage = postingPassages[i];
    if (!visibility.isVisible(passageBase + passage)) continue;
    yield* containEntities.subarray(containIndptr[passage], containIndptr[passage + 1]);
  }
}

/** Number of each trigram of the name, with two spaces before it and one behind. */
function trigrams(name: string): Map<string, number> {
  const counts = new Map<string, number>();
  const padded = `  ${name} `;
  for (let i = 0; i + 3 <= padded.length; i++) {
    const trigram = padded.slice(i, i + 3);
    counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
  }
  return counts;
}

/** Twice the shared trigrams over all. */
function dice(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [trigram, count] of a) {
    shared += Math.min(count, b.get(trigram) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return (2 * shared) / total;
}
