import type { EmbedText } from "./options.js";

/** Metadata key whose value is a passage's title: what LlamaIndex's readers and most loaders call it. */
export const DEFAULT_TITLE_KEY = "title";

/** What the graph is given of a dense source: as many as the core takes of its own similarity (`candidates`). */
export const DEFAULT_DENSE_TOP_K = 30;

/** Passages that the postprocessor adds: what the core retrieves by default. */
export const DEFAULT_APPEND = 5;

/** What LlamaIndex's own retrievers take the score of a node without one to be. */
export const DEFAULT_NODE_SCORE = 1;

/** Nodes that an embedding model is given at once: as many as the core gives its embedder. */
export const EMBED_BATCH = 64;

/** As the core does: the same passages have the same vectors, whichever way they came into an index. */
export const DEFAULT_EMBED_TEXT: EmbedText = "passage";
