import type { Method } from "./method.js";
import { loadOptional } from "./optional.js";

/** MiniSearch over titles and texts as two fields, with its defaults. */
export const minisearchMethod: Method = {
  name: "minisearch",
  description: "MiniSearch with its defaults, over title and text",
  embedder: "unused",
  async build(passages) {
    const { default: MiniSearch } = await loadOptional("minisearch", ["minisearch"], () => import("minisearch"));
    const index = new MiniSearch({ fields: ["title", "text"] });
    await index.addAllAsync(passages.map(({ id, title = "", text }) => ({ id, title, text })));
    return {
      bytes: new TextEncoder().encode(JSON.stringify(index)).length,
      retrieve: (question, k) =>
        index
          .search(question)
          .slice(0, k)
          .map((found) => found.id as string),
    };
  },
};
