import { BestList } from "../best-list.js";
import { compareIds, type View } from "../index/view.js";
import { type RankedPassage, toRanked, withoutRounding } from "../retrieve/ranked.js";
import type { Candidate, FusionInput, Pool } from "./candidates.js";
import { type FeatureShare, type FusionModel, FusionScorer } from "./model.js";

/** The pool of a question, scored. */
export class Fusion {
  private readonly candidates: ReadonlyMap<number, Candidate>;
  private readonly scorer: FusionScorer;

  constructor({ candidates, context }: Pool, input: FusionInput, model: FusionModel) {
    this.candidates = new Map(candidates.map((candidate) => [candidate.passage, candidate]));
    const isDense = input.hasVector || input.priors.passages.length > 0;
    const weights = (isDense ? model.vectors : undefined) ?? model.words;
    const { passageCount } = input.view;
    const trust = {
      words: passageCount / (passageCount + model.halfTrust),
      vectors: passageCount / (passageCount + model.pool.vectors),
    };
    this.scorer = new FusionScorer(weights, context, trust);
  }

  /** The candidate that this passage is, or undefined. */
  candidate(passage: number): Candidate | undefined {
    return this.candidates.get(passage);
  }

  /** The k most probable of the pool; those equal within rounding by id. */
  best(view: View, k: number, among: ReadonlySet<number> | undefined): RankedPassage[] {
    const best = new BestList(Math.min(k, this.candidates.size), compareIds(view));
    for (const { passage, features } of this.candidates.values()) {
      if (among?.has(passage) === false) continue;
      best.offer(passage, withoutRounding(this.scorer.probability(features)));
    }
    return toRanked(best.ranked());
  }

  /** Log-odds of an average candidate. */
  get intercept(): number {
    return this.scorer.intercept;
  }

  /** What each feature adds to the candidate's log-odds, the greatest by size first. */
  shares({ features }: Candidate): FeatureShare[] {
    return this.scorer.shares(features);
  }
}
