import { InvalidArgumentError, show } from "@trigraph/core";
import { html, raw } from "hono/html";
import { script, scriptHash, style, styleHash } from "virtual:page-files";
import type { Exploration } from "../types.js";
import { articles } from "./articles.js";
import { type Markup, type Page, pageOf } from "./markup.js";
import { pageData, KIND_NAMES, type NodeKind } from "./nodes.js";
import { outline } from "./outline.js";
import { rankTable } from "./rank-table.js";
import { questionText } from "./texts.js";
import { visible } from "./visible.js";

/** Options of `toHtml`. */
export interface PageOptions {
  /** The page's title. Default: the question. */
  readonly title?: string | undefined;
}

/** Nothing is loaded, sent or run but what is in the page: its script and style are admitted by their hashes. */
const POLICY = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * An exploration as one HTML page that needs nothing else: the paths as a graph to drag, hover and click, the ranks
 * under each method, every text with its entities marked, the scores by stage, and the paths as text. Without scripts
 * all but the graph is there. Whatever comes of passages and questions is escaped, and characters that would hide or
 * reorder it are shown as U+FFFD.
 *
 * @throws InvalidArgumentError on what is no exploration
 */
export function toHtml(exploration: Exploration, { title }: PageOptions = {}): string {
  const format: unknown = (exploration as Exploration | null | undefined)?.format;
  if (format !== 1) {
    throw new InvalidArgumentError(
      `toHtml: expected an exploration of format 1, as explore makes it, got ${show(exploration)} of format ${show(format)}.`,
    );
  }
  const page = pageOf(exploration);
  return toString(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${visible(title ?? exploration.question)}</title>
          ${exactly("style", "", style)}
        </head>
        <body>
          ${header(page)}
          <main>
            ${graphSection(page)}
            <div class="side">
              ${rankTable(page)}
              <section id="details" aria-labelledby="details-heading">
                <h2 id="details-heading">Details</h2>
                ${articles(page)}
              </section>
            </div>
          </main>
          ${outline(page)} ${exactly("script", ' type="application/json" id="data"', jsonInHtml(pageData(exploration)))}
          ${exactly("script", "", script)}
        </body>
      </html>`,
  );
}

function header({ exploration }: Page): Markup {
  const { passages, indexSize, similarity } = exploration;
  const kinds = (["seed", "sentence", "bridge"] as const).map((kind) => {
    const { length } = exploration[`${kind}s`];
    return `${length} ${kind}${length === 1 ? "" : "s"}`;
  });
  return html`<header>
    <h1>${questionText(exploration)}</h1>
    <p class="note">
      ${passages.length} of ${indexSize} passages, over ${kinds.join(", ")}. Similarity is of
      ${similarity === "hybrid" ? "words and vectors" : similarity}.
    </p>
  </header>`;
}

const LEGEND: readonly NodeKind[] = ["question", "seed", "sentence", "bridge", "carrier", "passage"];

/** What the script fills; without it a line says so. Not noscript: a policy may keep scripts from running. */
function graphSection({ exploration: { passages } }: Page): Markup {
  return html`<section id="graph" aria-labelledby="graph-heading">
    <h2 id="graph-heading">How the passages were found</h2>
    ${passages.length === 0 ? html`<p>The question found no passage: the index is empty, or the filter hides all.</p>` : ""}
    <p id="without-script" class="note">The graph needs scripts. All else is below, its paths under “Paths as text”.</p>
    <div id="controls" hidden>
      <label class="slider"
        >Best <output id="shown-count"></output> passages <input type="range" id="shown" min="1"
      /></label>
      <span class="buttons">
        <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
        <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
        <button type="button" id="fit">Fit</button>
        <button type="button" id="arrange">Arrange</button>
      </span>
    </div>
    <div id="canvas" hidden></div>
    <div id="below-graph" hidden>
      <ul class="legend" aria-label="Legend">
        ${LEGEND.map((kind) => html`<li><span class="swatch ${kind}"></span>${KIND_NAMES[kind]}</li>`)}
      </ul>
      <p class="note" id="help">
        Drag to move, click to open, hover to follow paths. Keyboard: Left and Right along a path, Up and Down within a
        column, Home to the question, End to the best passage, Enter to open, Escape to close.
      </p>
      <p id="status" role="status" class="unseen"></p>
    </div>
  </section>`;
}

/** An element with just this content: white space around it would change its hash. */
function exactly(element: string, attributes: string, content: string): Markup {
  return raw(`<${element}${attributes}>${content}</${element}>`);
}

/** JSON that ends no element and opens no comment, whatever strings it holds. */
function jsonInHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Templates without promises in them are strings at once. */
function toString(markup: Markup): string {
  if (markup instanceof Promise) throw new TypeError("A template of the page has a promise in it.");
  return markup.toString();
}
