export { explore } from "./explore.js";
export { toHtml, type PageOptions } from "./html/page.js";
export type {
  EntitySource,
  Exploration,
  ExploredBridge,
  ExploredCarrier,
  ExploredMention,
  ExploredPassage,
  ExploredSeed,
  ExploredSentence,
  ExploredStages,
  ExploredText,
  ExploreOptions,
  NodeId,
  PassageSource,
  RankingMethod,
  SimilaritySource,
} from "./types.js";
