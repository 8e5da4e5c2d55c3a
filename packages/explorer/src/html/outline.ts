import { html } from "hono/html";
import type { NodeId } from "../types.js";
import type { Markup, Page } from "./markup.js";
import { titleOf } from "./nodes.js";
import { visible } from "./visible.js";

/** The graph as text: each passage and the steps to it. */
export function outline(page: Page): Markup {
  return html`<section id="outline" aria-labelledby="outline-heading">
    <h2 id="outline-heading">Paths as text</h2>
    <ol>
      ${page.exploration.passages.map(
        (passage) =>
          html`<li>
            <a href="#${passage.id}" dir="auto">${visible(titleOf(passage))}</a>${pathLine(page, passage.path)}
          </li>`,
      )}
    </ol>
  </section>`;
}

/** The steps from the question to a passage, each a link. */
export function pathLine({ nodes }: Page, path: readonly NodeId[]): Markup {
  return html`<ol class="path" aria-label="Path">
    ${path.map((id) => {
      const { kind, label, name } = nodes.get(id)!;
      return html`<li><a href="#${id}" class="${kind}" aria-label="${name}" dir="auto">${label}</a></li>`;
    })}
  </ol>`;
}
