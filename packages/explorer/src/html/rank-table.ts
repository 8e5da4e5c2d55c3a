import { html } from "hono/html";
import type { RankingMethod } from "../types.js";
import type { Markup, Page } from "./markup.js";
import { titleOf } from "./nodes.js";
import { visible } from "./visible.js";

/** What the columns are called, and what they are. */
export const METHOD_NAMES: Readonly<Record<RankingMethod, { readonly short: string; readonly long: string }>> = {
  fused: { short: "fused", long: "all three stages" },
  graph: { short: "graph", long: "stages 1 and 2" },
  words: { short: "words", long: "BM25 alone" },
  vectors: { short: "vectors", long: "vectors alone" },
};

/** The passages with their rank under each method. */
export function rankTable({ exploration }: Page): Markup {
  const { methods, passages, rankDepth } = exploration;
  return html`<section id="passages" aria-labelledby="passages-heading">
    <h2 id="passages-heading">Passages and ranks</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of passages and ranks">
      <table>
        <thead>
          <tr>
            <th scope="col">passage</th>
            <th scope="col">score</th>
            ${methods.map((method) => html`<th scope="col"><abbr title="${METHOD_NAMES[method].long}">${METHOD_NAMES[method].short}</abbr></th>`)}
          </tr>
        </thead>
        <tbody>
          ${passages.map(
            (passage) =>
              html`<tr data-node="${passage.id}">
                <th scope="row">
                  <span class="rank">${passage.rank}.</span>
                  <a href="#${passage.id}" dir="auto">${visible(titleOf(passage))}</a>
                </th>
                <td>${formatScore(passage.score)}</td>
                ${passage.ranks.map((rank) => html`<td>${rank ?? html`<span aria-label="not ranked">–</span>`}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="note">
      Columns: ${methods.map((method) => `${METHOD_NAMES[method].short}, ${METHOD_NAMES[method].long}`).join("; ")}. A
      dash: not among the first ${rankDepth}, or without a score.
    </p>
  </section>`;
}

/** Three digits that count; what is too small for that as a power of ten. */
export function formatScore(score: number): string {
  if (score === 0) return "0";
  return Math.abs(score) >= 0.001 ? score.toPrecision(3) : score.toExponential(1).replace("e-", "e−");
}
