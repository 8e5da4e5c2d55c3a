import weights from "./default-model.json" with { type: "json" };
import type { FusionModel } from "./model.js";

/** The weights that come with the library; `provenance` says what they were fitted to. */
export const DEFAULT_FUSION = weights as unknown as FusionModel;
