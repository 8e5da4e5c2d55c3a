import { TriGraph } from "@trigraph/core";
import type { Method } from "./method.js";
import type { Variant } from "./variants.js";

/** trigraph with a variant's settings as a method. */
export function trigraphMethod(name: string, { description, embedder = "used", options }: Variant): Method {
  return {
    name,
    description,
    embedder,
    async build(passages, context) {
      const { signal, onProgress } = context;
      const index = await TriGraph.create({
        ...options,
        embedder: embedder === "unused" ? undefined : context.embedder,
      });
      await index.upsert(passages, {
        signal,
        onProgress: ({ phase, done }) => {
          if (phase === "analyze") onProgress?.(done);
        },
      });
      return {
        bytes: index.stats().bytes,
        retrieve: (question, k, { signal }) => index.retrieve(question, { k, signal }),
        async explain(question, k) {
          const hits = await index.retrieve(question, { k, explain: true });
          return new Map(hits.map(({ passage, evidence }) => [passage.id, evidence!]));
        },
        close: () => index.close(),
      };
    },
  };
}
