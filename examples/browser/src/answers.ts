import type { Span } from "@trigraph/core";
import type { Link, PathInWords } from "@trigraph/console/path";
import type { Answer } from "./library.js";

/** Puts the answers in the place of those before. Texts are set as text, never as markup. */
export function showAnswers(list: HTMLOListElement, answers: readonly Answer[]): void {
  list.replaceChildren(...answers.map(toItem));
}

function toItem({ title, text, sentence, path }: Answer): HTMLElement {
  const passage = element("p", "passage", ...marked(text, sentence === undefined ? [] : [sentence], "mark"));
  const article = element("article", "", element("h3", "", title), passage, toPath(path));
  article.append(...path.links.flatMap(toQuote));
  return element("li", "", article);
}

/** From the question to the passage. */
function toPath({ stations }: PathInWords): HTMLElement {
  const list = element("ol", "path", ...stations.map((station) => element("li", "", station)));
  list.setAttribute("aria-label", "How it was found");
  return list;
}

function toQuote({ quote }: Link): HTMLElement[] {
  return quote === undefined ? [] : [element("blockquote", "", ...marked(quote.text, quote.names, "strong"))];
}

/** The text with elements around some of its spans, which are in text order. */
function marked(text: string, spans: readonly Span[], tag: "mark" | "strong"): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = [];
  let end = 0;
  for (const span of spans) {
    // Names may overlap: "Bank of England" and "England".
    if (span.start < end) continue;
    parts.push(text.slice(end, span.start), element(tag, "", text.slice(span.start, span.end)));
    end = span.end;
  }
  return [...parts, text.slice(end)];
}

function element(tag: string, className: string, ...children: readonly (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}
