/** What is in the picture: the nodes and edges of the best passages' paths, where they stand, and what is next to what. */
import type { PageData, PageNode } from "../html/nodes.js";
import type { NodeId } from "../types.js";
import { type Edge, edgesOf, layout, type Point } from "./layout.js";

export interface PlacedNode extends PageNode {
  /** The centre of its box; dragging changes it. */
  x: number;
  y: number;
}

export interface PlacedEdge extends Edge {
  readonly source: PlacedNode;
  readonly target: PlacedNode;
  /** Where it passes between other nodes. */
  readonly bends: readonly Point[];
}

/** Keys by which one goes from node to node. */
export type Direction = "ArrowRight" | "ArrowLeft" | "ArrowUp" | "ArrowDown" | "Home" | "End";

export class Picture {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  private readonly paths: readonly (readonly NodeId[])[];
  private readonly byId: ReadonlyMap<NodeId, PlacedNode>;
  /** As laid out, from top to bottom: dragging a node does not take it out of its column. */
  private readonly columns: readonly (readonly NodeId[])[];

  /** @param count how many passages, the best first */
  constructor({ nodes, paths }: PageData, count: number) {
    this.paths = paths.slice(0, count);
    const edges = edgesOf(this.paths);
    const { places, bends } = layout(this.paths, edges);
    this.nodes = nodes.flatMap((node) => {
      const place = places.get(node.id);
      return place === undefined ? [] : [{ ...node, x: place.x, y: place.y }];
    });
    this.byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.edges = edges.map((edge, i) => ({
      ...edge,
      bends: bends[i],
      source: this.byId.get(edge.from)!,
      target: this.byId.get(edge.to)!,
    }));
    this.columns = columnsOf(places);
  }

  node(id: NodeId): PlacedNode | undefined {
    return this.byId.get(id);
  }

  /** Nodes and edges (`edgeKey`) of all paths through a node. */
  through(id: NodeId): { readonly nodes: ReadonlySet<NodeId>; readonly edges: ReadonlySet<string> } {
    const paths = this.paths.filter((path) => path.includes(id));
    return { nodes: new Set(paths.flat()), edges: new Set(edgesOf(paths).map(edgeKey)) };
  }

  /** Where a key leads: along the best passage's path through the node, within its column, or to an end. */
  next(id: NodeId, direction: Direction): NodeId | undefined {
    if (direction === "Home") return this.paths[0][0];
    if (direction === "End") return this.paths[0].at(-1);
    if (direction === "ArrowUp" || direction === "ArrowDown") {
      const column = this.columns.find((ids) => ids.includes(id))!;
      return column[column.indexOf(id) + (direction === "ArrowUp" ? -1 : 1)];
    }
    const path = this.paths.find((path) => path.includes(id))!;
    return path[path.indexOf(id) + (direction === "ArrowLeft" ? -1 : 1)];
  }

  /** Of all boxes' centres. */
  get extent(): { readonly least: Point; readonly greatest: Point } {
    const xs = this.nodes.map(({ x }) => x);
    const ys = this.nodes.map(({ y }) => y);
    return {
      least: { x: Math.min(...xs), y: Math.min(...ys) },
      greatest: { x: Math.max(...xs), y: Math.max(...ys) },
    };
  }
}

export function edgeKey({ from, to }: Pick<Edge, "from" | "to">): string {
  return `${from} ${to}`;
}

/** Boxes have one width, so those of a column have one x but for rounding. */
function columnsOf(places: ReadonlyMap<NodeId, Point>): NodeId[][] {
  const columns = new Map<number, [NodeId, number][]>();
  for (const [id, { x, y }] of places) {
    const column = columns.get(Math.round(x)) ?? [];
    columns.set(Math.round(x), [...column, [id, y]]);
  }
  return [...columns.values()].map((column) => column.sort(([, a], [, b]) => a - b).map(([id]) => id));
}

/** Passages whose paths have no more than so many nodes together; at least one passage. */
export function passagesWithin(paths: readonly (readonly NodeId[])[], limit: number): number {
  const nodes = new Set<NodeId>();
  for (const [i, path] of paths.entries()) {
    for (const id of path) nodes.add(id);
    if (nodes.size > limit) return Math.max(1, i);
  }
  return paths.length;
}
