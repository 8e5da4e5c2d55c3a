/** Texts with what is marked in them. */
import type { Span } from "@trigraph/core";
import { html } from "hono/html";
import type { Exploration, ExploredMention, ExploredText, NodeId } from "../types.js";
import type { Markup, Page } from "./markup.js";
import { piecesOf } from "./pieces.js";
import { visible } from "./visible.js";

/** The question, the names of its seeds marked; where one lies within another, the longer. */
export function questionText({ question, seeds }: Exploration): Markup {
  const spans = seeds.flatMap((seed) => (seed.kind === "entity" ? [{ ...seed.span, node: seed.id }] : []));
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const marks = spans.filter((span, i) => spans.slice(0, i).every(({ end }) => end <= span.start));
  return html`<span dir="auto"
    >${piecesOf(visible(question), marks, null).map(({ text, mark }) => marked(text, mark?.node))}</span
  >`;
}

/** A passage's text, its entities marked, one sentence highlighted. */
export function passageText({ text, mentions }: ExploredText, sentence: Span | null): Markup {
  return html`<p class="text" dir="auto">${pieces(visible(text), mentions, sentence)}</p>`;
}

/** A sentence of a passage, its entities marked. */
export function sentenceText({ texts }: Page, passageId: string, { start, end }: Span): Markup {
  const { text, mentions } = texts.get(passageId)!;
  const within = mentions
    .filter((mention) => mention.start >= start && mention.end <= end)
    .map((mention) => ({ ...mention, start: mention.start - start, end: mention.end - start }));
  return html`<p class="text" dir="auto">${pieces(visible(text.slice(start, end)), within, null)}</p>`;
}

function pieces(text: string, mentions: readonly ExploredMention[], sentence: Span | null): (Markup | string)[] {
  return piecesOf(text, mentions, sentence).map(({ text, mark, highlighted }) => {
    const inner = mark === undefined ? text : marked(text, mark.node);
    return highlighted ? html`<span class="sentence">${inner}</span>` : inner;
  });
}

/** An entity: a link to its node if it is in the picture. */
function marked(text: string, node: NodeId | null | undefined): Markup | string {
  if (node === undefined) return text;
  if (node === null) return html`<mark>${text}</mark>`;
  return html`<a class="mark" href="#${node}"
    ><mark class="${node.startsWith("seed") ? "seed" : "bridge"}">${text}</mark></a
  >`;
}
