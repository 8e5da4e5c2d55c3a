/** What is known of each node: an article that the script opens, and that is there without it. */
import { html } from "hono/html";
import { SHOWN_FEATURES } from "../defaults.js";
import type {
  ExploredBridge,
  ExploredCarrier,
  ExploredPassage,
  ExploredSeed,
  ExploredSentence,
  ExploredStages,
  NodeId,
} from "../types.js";
import type { Markup, Page } from "./markup.js";
import { pathLine } from "./outline.js";
import { KIND_NAMES, type NodeKind, seedLabel, titleOf, VIA_NAMES } from "./nodes.js";
import { formatScore, METHOD_NAMES } from "./rank-table.js";
import { passageText, questionText, sentenceText } from "./texts.js";
import { visible } from "./visible.js";

/** What led a passage's last entity into it. */
const ARRIVALS = {
  activation: "its activation, by equation 7",
  pagerank: "PageRank that it passed on",
  bridge: "the second hop of stage 3",
} as const;

export function articles(page: Page): Markup[] {
  const { seeds, sentences, bridges, carriers, passages, sources } = page.exploration;
  return [
    article("question", "question", "", html`<p class="text">${questionText(page.exploration)}</p>`),
    ...passages.map((passage) => passageArticle(page, passage)),
    ...seeds.map((seed) => seedArticle(page, seed)),
    ...sentences.map((sentence) => sentenceArticle(page, sentence)),
    ...bridges.map((bridge) => bridgeArticle(page, bridge)),
    ...carriers.map((carrier) => carrierArticle(page, carrier)),
    ...sources.map((source, i) =>
      article(
        "carrier",
        `source-${i + 1}`,
        titleOf(source),
        html`<p class="note">Not in the ranking; paths lead through it.</p>
          ${passageText(source, null)}`,
      ),
    ),
  ];
}

function article(kind: NodeKind, id: NodeId, title: string, content: Markup): Markup {
  return html`<article id="${id}" class="${kind}" tabindex="-1">
    <h3><span class="kind">${KIND_NAMES[kind]}</span> <bdi>${visible(title)}</bdi></h3>
    ${content}
  </article>`;
}

function passageArticle(page: Page, passage: ExploredPassage): Markup {
  const { arrival, sentence, metadata, passageId } = passage;
  const content = html`${pathLine(page, passage.path)}
    ${arrival === null ? "" : html`<p>Brought by <bdi>${visible(arrival.entity)}</bdi>${arrival.defines ? ", which it defines" : ""}, with ${ARRIVALS[arrival.by]}: ${formatScore(arrival.contribution)}.</p>`}
    ${passageText(passage, sentence?.span ?? null)}
    ${sentence === null ? "" : html`<p class="note">Highlighted: its most relevant sentence, σ ${formatScore(sentence.relevance)}${words(sentence.words)}.</p>`}
    ${stageTable(passage, page.exploration)} ${featureTable(passage.stages)}
    <p class="note">
      Id:
      <bdi>${visible(passageId)}</bdi
      >${metadata === null ? "" : html`. Metadata: <bdi>${visible(JSON.stringify(metadata))}</bdi>`}
    </p>`;
  return article("passage", passage.id, `${passage.rank}. ${titleOf(passage)}`, content);
}

function stageTable({ stages, ranks, score }: ExploredPassage, { methods }: Page["exploration"]): Markup {
  const rows: readonly (readonly [string, string])[] = [
    ["Similarity", formatScore(stages.similarity)],
    ["Stage 1: activation", formatScore(stages.activation)],
    ["Stage 2: PageRank", formatScore(stages.pageRank)],
    ["Stage 3: probability", stages.fusion === null ? "not in its pool" : formatScore(stages.fusion.probability)],
    ["Score", formatScore(score)],
    ...ranks.map((rank, i) => [`Rank, ${METHOD_NAMES[methods[i]].long}`, String(rank ?? "–")] as const),
  ];
  return html`<table class="facts">
    <caption>
      Scores by stage
    </caption>
    <tbody>
      ${rows.map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${value}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** What moved the passage in stage 3: as a bar each, to the right what lifted it. */
function featureTable({ fusion }: ExploredStages): Markup | string {
  if (fusion === null) return "";
  const shares = fusion.shares.filter(({ logOdds }) => logOdds !== 0).slice(0, SHOWN_FEATURES);
  const greatest = Math.max(0, ...shares.map(({ logOdds }) => Math.abs(logOdds)));
  return html`<table class="facts">
    <caption>
      What moved stage 3, in log-odds
    </caption>
    <thead>
      <tr>
        <th scope="col">feature</th>
        <th scope="col">value</th>
        <th scope="col">moves by</th>
      </tr>
    </thead>
    <tbody>
      ${shares.map(
        ({ feature, value, logOdds }) =>
          html`<tr>
            <th scope="row">${feature}</th>
            <td>${formatScore(value)}</td>
            <td>
              ${logOdds < 0 ? "−" : "+"}${Math.abs(logOdds).toFixed(2)}
              <meter
                min="0"
                max="${greatest}"
                value="${Math.abs(logOdds)}"
                class="${logOdds < 0 ? "down" : "up"}"
                aria-hidden="true"
              ></meter>
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function seedArticle(page: Page, seed: ExploredSeed): Markup {
  const title = seedLabel(seed, page.titles);
  if (seed.kind === "entity") {
    const { start, end } = seed.span;
    const named = visible(page.exploration.question.slice(start, end));
    return article(
      "seed",
      seed.id,
      title,
      html`<p>The question names it: “<bdi>${named}</bdi>”. Activation ${formatScore(seed.activation)}.</p>
        ${reached(page, seed.id)}`,
    );
  }
  if (seed.kind === "similarity") {
    return article(
      "seed",
      seed.id,
      title,
      html`<p>These passages come without a path over the graph.</p>
        ${reached(page, seed.id)}`,
    );
  }
  const content = html`<p>Itself similar to the question (${VIA_NAMES[seed.via]}): ${formatScore(seed.similarity)}.</p>
    <p>${passageLink(page, seed.passageId)}</p>
    ${passageText(page.texts.get(seed.passageId)!, null)} ${reached(page, seed.id)}`;
  return article("seed", seed.id, title, content);
}

function sentenceArticle(page: Page, sentence: ExploredSentence): Markup {
  const { id, passageId, span, relevance, activation } = sentence;
  const content = html`${sentenceText(page, passageId, span)}
    <p>From ${passageLink(page, passageId)}.</p>
    <p>
      Relevance σ ${formatScore(relevance)}${words(sentence.words)}. It passed on an activation of
      ${formatScore(activation)} × σ.
    </p>
    ${reached(page, id)}`;
  return article("sentence", id, page.titles.get(passageId)!, content);
}

function bridgeArticle(page: Page, { id, entity, contribution, by }: ExploredBridge): Markup {
  const content = html`<p>
      ${by === "sentence" ? "Activated through a sentence" : "Reached through a passage"}: ${formatScore(contribution)}.
    </p>
    ${reached(page, id)}`;
  return article("bridge", id, entity, content);
}

function carrierArticle(page: Page, { id, passageId }: ExploredCarrier): Markup {
  const content = html`<p>Entities in it lead to others in it.</p>
    <p>${passageLink(page, passageId)}</p>
    ${passageText(page.texts.get(passageId)!, null)} ${reached(page, id)}`;
  return article("carrier", id, page.titles.get(passageId)!, content);
}

/** The passages whose paths lead through a node. */
function reached({ exploration: { passages } }: Page, id: NodeId): Markup {
  const through = passages.filter(({ path }) => path.includes(id));
  return html`<p>On the way to</p>
    <ul>
      ${through.map(
        (passage) =>
          html`<li>
            <a href="#${passage.id}">${passage.rank}. <bdi>${visible(titleOf(passage))}</bdi></a>
          </li>`,
      )}
    </ul>`;
}

function passageLink({ titles, anchors }: Page, passageId: string): Markup {
  return html`<a href="#${anchors.get(passageId)!}" dir="auto">${visible(titles.get(passageId)!)}</a>`;
}

function words(covered: readonly string[]): string {
  return covered.length === 0 ? "" : `, for ${covered.map(visible).join(", ")}`;
}
