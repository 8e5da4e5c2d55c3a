import fc from "fast-check";
import type { NodeList } from "../../src/graph/reader.js";
import type { SpecCorpus } from "./equations.js";
import { type ListedHubs, ListReader } from "./list-reader.js";

/** A corpus and the names that a graph gives its parts: none in the order of another. */
export interface NamedCorpus extends SpecCorpus {
  readonly entityKeys: readonly number[];
  readonly passageNumbers: readonly number[];
  readonly sentenceNumbers: readonly number[];
}

/** Eighths, so that sums and products of a few hops are exact and equal ones tie. */
const relevance = fc.constantFrom(0, 1 / 8, 1 / 4, 1 / 2, 1 / 2, 3 / 4, 1);

/** One, two or all of four words, so that shares are exact; or none, as in a sentence that vectors find. */
const words = fc.constantFrom(0, 1, 2, 4, 8, 3, 5, 10, 15, 15);

/** Up to 12 passages of up to 3 sentences over up to 15 entities. */
export const corpora: fc.Arbitrary<NamedCorpus> = fc.integer({ min: 1, max: 15 }).chain((entities) => {
  const entity = fc.integer({ min: 0, max: entities - 1 });
  const sentence = fc.record({
    entities: fc.array(entity, { maxLength: 5, size: "max" }),
    sigma: relevance,
    words,
  });
  const passage = fc.record({
    sentences: fc.array(sentence, { maxLength: 3, size: "max" }),
    defines: fc.uniqueArray(entity, { maxLength: 2 }),
    hidden: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  });
  return fc.array(passage, { minLength: 1, maxLength: 12, size: "max" }).chain((passages) =>
    fc.record({
      entities: fc.constant(entities),
      passages: fc.constant(passages),
      entityKeys: fc.uniqueArray(fc.maxSafeNat(), { minLength: entities, maxLength: entities }),
      passageNumbers: permutation(passages.length),
      sentenceNumbers: permutation(passages.flatMap(({ sentences }) => sentences).length),
    }),
  );
});

function permutation(length: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length }, (_, i) => i);
  return fc.shuffledSubarray(all, { minLength: length });
}

export function readerOf(corpus: NamedCorpus, hubs: ListedHubs): ListReader {
  let sentence = 0;
  const passages = corpus.passages.map(({ sentences, defines, hidden }, p) => ({
    id: corpus.passageNumbers[p],
    sentences: sentences.map(({ entities, sigma, words }) => ({
      id: corpus.sentenceNumbers[sentence++],
      entities: entities.map((e) => corpus.entityKeys[e]),
      sigma,
      words,
    })),
    defines: defines.map((e) => corpus.entityKeys[e]),
    visible: !hidden,
  }));
  return new ListReader(passages, { ...hubs, candidates: hubs.candidates.map((p) => corpus.passageNumbers[p]) });
}

/** Values by id as a vector over the given names; 0 for those that are not listed. */
export function vectorOf(nodes: NodeList, values: ArrayLike<number>, names: readonly number[]): number[] {
  const byId = new Map<number, number>();
  for (let i = 0; i < nodes.length; i++) byId.set(nodes.ids[i], values[i]);
  return names.map((name) => byId.get(name) ?? 0);
}
