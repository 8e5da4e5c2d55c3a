import { html, raw } from "hono/html";
import { drawCharts, type Charts } from "./charts.js";
import type { Excerpt, FailedRanking, Failure, FusionReason, Reason, Report, Times } from "./report.js";
import { STYLE } from "./style.js";
import { describeReport, formatPercent, tablesOf, type Table } from "./tables.js";

/** Markup: what `html` makes of a template, everything in it escaped but other markup. */
type Markup = ReturnType<typeof html>;

/**
 * A report as one page that needs nothing else: tables, charts, where the first method loses, and every question that
 * some method fails. All text of corpus and questions is escaped.
 */
export async function renderHtml(report: Report, times: Times): Promise<string> {
  const charts = await drawCharts(report, times);
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Evaluation of retrieval</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <h1>Evaluation of retrieval</h1>
        <p>${describeReport(report)}.</p>
        ${methodList(report)} ${tablesOf(report, times).map(tableSection)} ${chartSection(charts)}
        ${lossSection(report)} ${failureSection(report)} ${passageSection(report)}
      </body>
    </html>`;
  return page.toString();
}

function methodList({ methods }: Report): Markup {
  return html`<details>
    <summary>The ${methods.length} methods</summary>
    <dl>
      ${methods.map(
        ({ name, description }) =>
          html`<dt>${name}</dt>
            <dd>${description}</dd>`,
      )}
    </dl>
  </details>`;
}

function tableSection({ title, columns, rows, note }: Table): Markup {
  return html`<section>
    <h2>${title}</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${row.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${note === undefined ? "" : html`<p class="note">${note}</p>`}
  </section>`;
}

function chartSection({ recall, difference, latency }: Charts): Markup {
  return html`<section>
    <h2>Charts</h2>
    ${figure("Recall, with intervals", recall)}
    ${difference === undefined ? "" : figure("Differences in recall from the first method, with intervals; those wholly below 0 in orange", difference)}
    ${figure("Latency", latency)}
  </section>`;
}

function figure(caption: string, svg: string): Markup {
  return html`<figure>
    <figcaption>${caption}</figcaption>
    ${raw(svg)}
  </figure>`;
}

function lossSection({ losses, questions, methods, settings: { cut } }: Report): Markup {
  const places = new Map(questions.map(({ id }, place) => [id, place]));
  const [first] = methods;
  return html`<section>
    <h2>Where ${first.name} loses</h2>
    ${
      losses.length === 0
        ? html`<p>No other method has more of the evidence in its first ${cut} for any question.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">recall@${cut} in %</th>
                  <th scope="col">to</th>
                  <th scope="col">${first.name}</th>
                  <th scope="col">the other</th>
                </tr>
              </thead>
              <tbody>
                ${losses.map((loss) => {
                  const place = places.get(loss.id)!;
                  return html`<tr>
                    <td class="wide"><a href="#q${place}">${questions[place].question}</a></td>
                    <td>${loss.method}</td>
                    <td>${formatPercent(loss.first)}</td>
                    <td>${formatPercent(loss.other)}</td>
                  </tr>`;
                })}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

function failureSection(report: Report): Markup {
  const { failures, questions, passages, settings } = report;
  const places = new Map(questions.map(({ id }, place) => [id, place]));
  const shown = new Map(passages.map((passage, place) => [passage.id, { passage, anchor: `p${place}` }]));
  return html`<section>
    <h2>Questions that failed</h2>
    <p class="note">
      ${failures.length} of ${questions.length} questions of which some method does not have all evidence in its first
      ${settings.cut}. Ranks are looked for down to 100.
    </p>
    ${failures.map((failure) => failureBlock(failure, places.get(failure.id)!, report, shown))}
  </section>`;
}

/** The passages that the page shows, by id, and where. */
type Shown = ReadonlyMap<string, { readonly passage: Excerpt; readonly anchor: string }>;

function failureBlock({ gold, methods }: Failure, place: number, { questions }: Report, shown: Shown): Markup {
  const { id, question, type } = questions[place];
  const failed = methods.filter((method) => method.failed).map(({ method }) => method);
  // The place that links lead to is inside: browsers then open what is closed.
  return html`<details>
    <summary>${question} <span class="failed">fails: ${failed.join(", ")}</span></summary>
    <p class="note" id="q${place}">${id}${type === null ? "" : `, ${type}`}</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">gold passage: its ranks</th>
            ${methods.map(({ method }) => html`<th scope="col">${method}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${gold.map(
            ({ id, ranks }) =>
              html`<tr>
                <td class="wide">${link(id, shown)}</td>
                ${ranks.map((rank) => html`<td>${rank ?? html`<span class="missing">–</span>`}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <div class="methods">${methods.map((method) => rankingBlock(method, shown))}</div>
  </details>`;
}

function rankingBlock({ method, failed, returned }: FailedRanking, shown: Shown): Markup {
  return html`<div>
    <h3>${method} <span class="${failed ? "failed" : "found"}">${failed ? "fails" : "finds all"}</span></h3>
    ${returned.length === 0 ? html`<p>Nothing returned.</p>` : ""}
    <ol>
      ${returned.map(
        ({ id, gold, evidence }) =>
          html`<li>${link(id, shown)}${gold ? html` <span class="gold">gold</span>` : ""}${reason(evidence)}</li>`,
      )}
    </ol>
  </div>`;
}

function reason(evidence: Reason | null): Markup | string {
  if (evidence === null) return "";
  const { via, path, fusion } = evidence;
  return html`<span class="why">${path.length === 0 ? via : path.join(" → ")}</span>${
      fusion === null ? "" : html`<span class="why">${describeFusion(fusion)}</span>`
    }`;
}

/** "p 0.83: bridge +1.2, wordRank −0.4, …" */
function describeFusion({ probability, shares }: FusionReason): string {
  const moved = shares.map(
    ({ feature, logOdds }) => `${feature} ${logOdds < 0 ? "−" : "+"}${Math.abs(logOdds).toFixed(1)}`,
  );
  return `p ${probability.toFixed(2)}: ${moved.join(", ")}`;
}

function passageSection({ passages }: Report): Markup | string {
  if (passages.length === 0) return "";
  return html`<section>
    <h2>The passages named above</h2>
    <dl>
      ${passages.map(
        ({ id, title, text }, place) =>
          html`<dt id="p${place}">${title ?? id} <span class="note">${id}</span></dt>
            <dd>${text}</dd>`,
      )}
    </dl>
  </section>`;
}

function link(id: string, shown: Shown): Markup {
  const { passage, anchor } = shown.get(id)!;
  return html`<a href="#${anchor}">${passage.title ?? id}</a>`;
}
