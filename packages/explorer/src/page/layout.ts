/**
 * Where nodes stand: layers from left to right (Sugiyama, Tagawa, Toda 1981), by dagre. It draws nothing at random, so
 * the same paths give the same picture.
 */
import dagre from "@dagrejs/dagre";
import type { NodeId } from "../types.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Of a node's box, in the picture's units. */
export const BOX = { width: 172, height: 28 };

/** A step that some paths share. */
export interface Edge {
  readonly from: NodeId;
  readonly to: NodeId;
  /** How many paths take it. */
  readonly paths: number;
}

/** The steps of the paths, each once. */
export function edgesOf(paths: readonly (readonly NodeId[])[]): Edge[] {
  const edges = new Map<string, { from: NodeId; to: NodeId; paths: number }>();
  for (const path of paths) {
    for (let i = 0; i + 1 < path.length; i++) {
      const [from, to] = [path[i], path[i + 1]];
      const key = `${from} ${to}`;
      const known = edges.get(key);
      if (known === undefined) edges.set(key, { from, to, paths: 1 });
      else known.paths++;
    }
  }
  return [...edges.values()];
}

export interface Layout {
  /** The centre of each node's box. */
  readonly places: ReadonlyMap<NodeId, Point>;
  /** Where each edge, in the order given, passes between other nodes, from its start to its end. */
  readonly bends: readonly (readonly Point[])[];
}

/** Of at least one path. */
export function layout(paths: readonly (readonly NodeId[])[], edges: readonly Edge[]): Layout {
  // Longest paths put all passages, to which everything leads, into one column; of 250 passages ten times faster
  // than the network simplex.
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 10, edgesep: 6, ranksep: 32, ranker: "longest-path" });
  const ids = new Set(paths.flat());
  for (const id of ids) graph.setNode(id, { ...BOX });
  for (const { from, to, paths } of edges) graph.setEdge(from, to, { weight: paths });
  dagre.layout(graph);
  const places = new Map([...ids].map((id) => [id, graph.node(id) as Point]));
  // The best passage belongs into the upper half.
  const { height } = graph.graph() as { height: number };
  const turn = places.get(paths[0].at(-1)!)!.y > height / 2;
  const place = ({ x, y }: Point): Point => ({ x, y: turn ? height - y : y });
  return {
    places: new Map([...places].map(([id, at]) => [id, place(at)])),
    // The first and the last are at the boxes, which may be dragged.
    bends: edges.map(({ from, to }) => (graph.edge(from, to) as { points: Point[] }).points.slice(1, -1).map(place)),
  };
}
