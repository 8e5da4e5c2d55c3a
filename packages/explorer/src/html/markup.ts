import type { html } from "hono/html";
import type { Exploration, ExploredText } from "../types.js";
import { pageData, type PageNode, titlesOf } from "./nodes.js";

/** What `html` makes of a template, everything in it escaped but other markup. */
export type Markup = ReturnType<typeof html>;

/** An exploration and what its templates look up. */
export interface Page {
  readonly exploration: Exploration;
  readonly nodes: ReadonlyMap<string, PageNode>;
  /** Title, or id where there is none, by passage id. */
  readonly titles: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, ExploredText>;
  /** The element that shows a passage, by passage id. */
  readonly anchors: ReadonlyMap<string, string>;
}

export function pageOf(exploration: Exploration): Page {
  const { passages, sources } = exploration;
  return {
    exploration,
    nodes: new Map(pageData(exploration).nodes.map((node) => [node.id, node])),
    titles: titlesOf(exploration),
    texts: new Map([...passages, ...sources].map((text) => [text.passageId, text])),
    anchors: new Map([
      ...passages.map(({ passageId, id }) => [passageId, id] as const),
      ...sources.map(({ passageId }, i) => [passageId, `source-${i + 1}`] as const),
    ]),
  };
}
