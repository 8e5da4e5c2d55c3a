/** Draws a picture as SVG, and tells what is done with it. Every node is an element that focus and screen readers reach. */
import { type D3DragEvent, drag } from "d3-drag";
import { select, type Selection } from "d3-selection";
import { curveBumpX, line } from "d3-shape";
import { type D3ZoomEvent, zoom, zoomIdentity } from "d3-zoom";
import type { NodeId } from "../types.js";
import { BOX, type Point } from "./layout.js";
import { type Direction, edgeKey, type Picture, type PlacedEdge, type PlacedNode } from "./picture.js";

export interface GraphEvents {
  /** A node was clicked, or Enter or Space pressed on it. */
  onOpen(id: NodeId): void;
  /** Escape was pressed. */
  onClose(): void;
}

/** Below this scale letters cannot be read: only what is looked at has its label. */
const READABLE = 0.55;
/** How far one can zoom. */
const SCALES: [number, number] = [0.05, 3];
/** One press of a button. */
const ZOOM_STEP = 1.4;
/** A picture of few nodes is not blown up further. */
const GREATEST_FIT = 1.2;
/** Pixels that are left around the picture. */
const MARGIN = 12;
/** Pixels that a pointer may move in a click. */
const CLICK_DISTANCE = 4;

const DIRECTIONS: readonly string[] = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"];

type Nodes = Selection<SVGGElement, PlacedNode, SVGGElement, unknown>;
type Edges = Selection<SVGPathElement, PlacedEdge, SVGGElement, unknown>;

export class GraphView {
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly edgeLayer: Selection<SVGGElement, unknown, null, undefined>;
  private readonly nodeLayer: Selection<SVGGElement, unknown, null, undefined>;
  private readonly zooming = zoom<SVGSVGElement, unknown>();
  private readonly resizes = new ResizeObserver(() => this.start());
  private readonly canvas: HTMLElement;
  private readonly events: GraphEvents;
  private picture!: Picture;
  private nodes!: Nodes;
  private edges!: Edges;
  /** Looked at by pointer or focus. */
  private looked: NodeId | undefined;
  private opened: NodeId | undefined;

  constructor(canvas: HTMLElement, events: GraphEvents) {
    this.canvas = canvas;
    this.events = events;
    this.svg = select(canvas)
      .append("svg")
      .attr("role", "application")
      .attr("aria-label", "Graph of the paths to the passages")
      .attr("aria-describedby", "help");
    const all = this.svg.append("g");
    this.edgeLayer = all.append("g").attr("class", "edges").attr("aria-hidden", "true");
    this.nodeLayer = all.append("g").attr("class", "nodes");
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.zooming
      .scaleExtent(SCALES)
      .duration(still ? 0 : 200)
      .clickDistance(CLICK_DISTANCE)
      // A wheel over the graph scrolls the page until the graph is worked with.
      .filter((event: Event) => event.type !== "wheel" || isWanted(event as WheelEvent, canvas))
      .on("zoom", ({ transform }: D3ZoomEvent<SVGSVGElement, unknown>) => {
        all.attr("transform", transform.toString());
        this.svg.classed("small", transform.k < READABLE);
      });
    this.svg.call(this.zooming);
  }

  /** Draws a picture in the place of the one before. @param opened the node that is open */
  draw(picture: Picture, opened: NodeId | undefined): void {
    this.picture = picture;
    this.opened = opened;
    this.edges = this.edgeLayer
      .selectAll<SVGPathElement, PlacedEdge>("path")
      .data(picture.edges, edgeKey as (edge: unknown) => string)
      .join("path");
    this.edges.attr("stroke-width", ({ paths }) => 1 + Math.log2(paths) / 2);
    this.nodes = this.nodeLayer
      .selectAll<SVGGElement, PlacedNode>("g")
      .data(picture.nodes, ({ id }) => id)
      .join((entered) => this.enter(entered.append("g")));
    this.nodes.order();
    this.place();
    const focused = this.nodes.filter("[tabindex='0']");
    if (focused.empty()) this.rove(this.opened !== undefined && picture.node(this.opened) ? this.opened : "question");
    this.mark();
    this.start();
    this.resizes.observe(this.canvas);
  }

  /** Shows all of the picture, however small. */
  fit(): void {
    this.showAtLeast(0);
  }

  /** Shows all of the picture if it can be read then, else what is around the node that is open. */
  private start(): void {
    this.showAtLeast(READABLE);
  }

  private showAtLeast(leastScale: number): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    const { least, greatest } = this.picture.extent;
    const width = greatest.x - least.x + BOX.width + 2 * MARGIN;
    const height = greatest.y - least.y + BOX.height + 2 * MARGIN;
    const scale = Math.max(leastScale, Math.min(GREATEST_FIT, clientWidth / width, clientHeight / height));
    const at = this.opened === undefined ? undefined : this.picture.node(this.opened);
    // Along each axis: the middle if all of it is seen, else as near to the node as the picture's end lets it be.
    const middle = (size: number, room: number, from: number, to: number, wanted = from) => {
      const half = room / scale / 2;
      return size * scale <= room ? (from + to) / 2 : Math.min(Math.max(wanted, from + half), to - half);
    };
    const left = least.x - BOX.width / 2 - MARGIN;
    const top = least.y - BOX.height / 2 - MARGIN;
    const centre = {
      x: middle(width, clientWidth, left, left + width, at?.x),
      y: middle(height, clientHeight, top, top + height, at?.y),
    };
    const transform = zoomIdentity
      .translate(clientWidth / 2, clientHeight / 2)
      .scale(scale)
      .translate(-centre.x, -centre.y);
    this.zooming.transform(this.svg, transform);
  }

  zoomIn(): void {
    this.zooming.scaleBy(this.svg, ZOOM_STEP);
  }

  zoomOut(): void {
    this.zooming.scaleBy(this.svg, 1 / ZOOM_STEP);
  }

  /** Marks the node that is open, if any, and its paths. */
  setOpened(id: NodeId | undefined): void {
    this.opened = id;
    if (id !== undefined && this.picture.node(id) !== undefined) {
      this.rove(id);
      this.bringIntoView(id);
    }
    this.mark();
  }

  /** Follows the paths through a node, as if the pointer were on it. */
  look(id: NodeId | undefined): void {
    this.looked = id;
    this.mark();
  }

  private enter(entered: Nodes): Nodes {
    entered
      .attr("class", ({ kind }) => `node ${kind}`)
      .attr("role", "button")
      .attr("tabindex", -1)
      .attr("aria-label", ({ name }) => name)
      .attr("data-node", ({ id }) => id);
    entered
      .append("rect")
      .attr("x", -BOX.width / 2)
      .attr("y", -BOX.height / 2)
      .attr("width", BOX.width)
      .attr("height", BOX.height);
    // A document of its own cuts off what is too wide.
    entered
      .append("svg")
      .attr("x", -BOX.width / 2)
      .attr("y", -BOX.height / 2)
      .attr("width", BOX.width)
      .attr("height", BOX.height)
      .attr("aria-hidden", "true")
      .append("text")
      .attr("x", BOX.width / 2)
      .attr("y", BOX.height / 2)
      .text(({ label }) => label);
    entered
      .on("click", (_event, { id }) => this.events.onOpen(id))
      .on("keydown", (event: KeyboardEvent, { id }) => this.press(event, id))
      .on("focus", (_event, { id }) => {
        this.rove(id);
        this.look(id);
        this.bringIntoView(id);
      })
      .on("blur", () => this.look(undefined))
      .on("pointerenter", (_event, { id }) => this.look(id))
      .on("pointerleave", () => this.look(undefined));
    const dragging = drag<SVGGElement, PlacedNode>()
      .clickDistance(CLICK_DISTANCE)
      .on("drag", ({ dx, dy }: D3DragEvent<SVGGElement, PlacedNode, PlacedNode>, node) => {
        node.x += dx;
        node.y += dy;
        this.place();
      });
    entered.call(dragging);
    return entered;
  }

  private place(): void {
    this.nodes.attr("transform", ({ x, y }) => `translate(${x},${y})`);
    this.edges.attr("d", curve);
  }

  private press(event: KeyboardEvent, id: NodeId): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { key } = event;
    if (key === "Enter" || key === " ") this.events.onOpen(id);
    else if (key === "Escape") this.events.onClose();
    else if (DIRECTIONS.includes(key)) this.focus(this.picture.next(id, key as Direction));
    else return;
    event.preventDefault();
  }

  private focus(id: NodeId | undefined): void {
    if (id !== undefined)
      this.nodes
        .filter((node) => node.id === id)
        .node()
        ?.focus();
  }

  /** One node can be reached by Tab: the one that was last. */
  private rove(to: NodeId): void {
    this.nodes.attr("tabindex", ({ id }) => (id === to ? 0 : -1));
  }

  private bringIntoView(id: NodeId): void {
    const element = this.nodes.filter((node) => node.id === id).node()!;
    const box = element.getBoundingClientRect();
    const frame = this.canvas.getBoundingClientRect();
    const isInside =
      box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
    const { x, y } = this.picture.node(id)!;
    if (!isInside) this.zooming.translateTo(this.svg, x, y);
  }

  private mark(): void {
    const path = this.opened === undefined ? undefined : this.picture.through(this.opened);
    const looked = this.looked === undefined ? undefined : this.picture.through(this.looked);
    this.svg.classed("looking", looked !== undefined && looked.nodes.size > 0);
    this.nodes
      .attr("aria-pressed", ({ id }) => String(id === this.opened))
      .classed("opened", ({ id }) => id === this.opened)
      .classed("on-path", ({ id }) => path?.nodes.has(id) === true)
      .classed("looked", ({ id }) => looked?.nodes.has(id) === true);
    this.edges
      .classed("on-path", (edge) => path?.edges.has(edgeKey(edge)) === true)
      .classed("looked", (edge) => looked?.edges.has(edgeKey(edge)) === true);
  }
}

function isWanted(event: WheelEvent, canvas: HTMLElement): boolean {
  return event.ctrlKey || event.metaKey || canvas.contains(document.activeElement);
}

const bump = line<Point>(
  ({ x }) => x,
  ({ y }) => y,
).curve(curveBumpX);

/** From the right side of a box to the left side of the other, level at both, and past the boxes between. */
function curve({ source, target, bends }: PlacedEdge): string | null {
  const from = { x: source.x + BOX.width / 2, y: source.y };
  const to = { x: target.x - BOX.width / 2, y: target.y };
  return bump([from, ...bends, to]);
}
