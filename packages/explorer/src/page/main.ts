/** The page's script: draws the graph, and opens what is chosen in it, in the table, or by a link. */
import type { PageData } from "../html/nodes.js";
import type { NodeId } from "../types.js";
import { GraphView } from "./graph-view.js";
import { passagesWithin, Picture } from "./picture.js";

/** Nodes that are drawn at first: more cannot be read at once. The slider shows the rest. */
const FIRST_NODES = 45;

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

const data = JSON.parse(element("data").textContent) as PageData;
const articles = new Map([...element("details").querySelectorAll("article")].map((article) => [article.id, article]));
const rows = [...element("passages").querySelectorAll<HTMLElement>("tr[data-node]")];
const slider = element<HTMLInputElement>("shown");
const names = new Map(data.nodes.map(({ id, name }) => [id, name]));

const view = new GraphView(element("canvas"), { onOpen: open, onClose: close });
let opened: NodeId | undefined = data.paths[0]?.at(-1);

function tell(): void {
  element("shown-count").textContent = `${slider.value} of ${slider.max}`;
}

function draw(): void {
  tell();
  view.draw(new Picture(data, slider.valueAsNumber), opened);
}

/** Shows a node's article, and the node, if it is none of the passages' that are drawn. */
function open(id: NodeId): void {
  show(id);
  const needed = data.paths.findIndex((path) => path.includes(id)) + 1;
  if (needed > slider.valueAsNumber) {
    slider.valueAsNumber = needed;
    draw();
  } else view.setOpened(id);
  element("status").textContent = `Opened under Details: ${names.get(id) ?? "a passage on the way"}`;
}

function close(): void {
  show(undefined);
  view.setOpened(undefined);
  element("status").textContent = "Closed";
}

function show(id: NodeId | undefined): void {
  opened = id;
  for (const [name, article] of articles) article.classList.toggle("open", name === id);
  for (const row of rows) row.classList.toggle("open", row.dataset.node === id);
}

function start(): void {
  slider.max = String(data.paths.length);
  slider.valueAsNumber = passagesWithin(data.paths, FIRST_NODES);
  element("without-script").hidden = true;
  for (const id of ["controls", "canvas", "below-graph"]) element(id).hidden = false;
  draw();
  slider.addEventListener("input", tell);
  // A layout of hundreds of nodes takes long enough to wait for the slider to be let go.
  slider.addEventListener("change", draw);
  element("zoom-in").addEventListener("click", () => view.zoomIn());
  element("zoom-out").addEventListener("click", () => view.zoomOut());
  element("fit").addEventListener("click", () => view.fit());
  element("arrange").addEventListener("click", draw);
  for (const row of rows) {
    row.addEventListener("pointerenter", () => view.look(row.dataset.node));
    row.addEventListener("pointerleave", () => view.look(undefined));
  }
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']");
    const id = link?.getAttribute("href")?.slice(1);
    const article = id === undefined ? undefined : articles.get(id);
    if (article === undefined) return;
    event.preventDefault();
    open(id!);
    article.focus();
  });
  document.documentElement.classList.add("scripted");
  show(opened);
}

// Without passages there is nothing to draw, and the page says so.
if (data.paths.length > 0) start();
