/** The part of the Tri-Graph that a question went through: entities, sentences and passages, from left to right. */
import dagre from "@dagrejs/dagre";
import { line, rect, text } from "@observablehq/plot";
import type { Exploration } from "@trigraph/explorer";
import { picture } from "./picture.ts";
import type { Shown } from "./shown.ts";

type Kind = "question" | "entity" | "sentence" | "passage" | "similarity";

const FILL: Readonly<Record<Kind, string>> = {
  question: "#e7e9ec",
  similarity: "#e7e9ec",
  entity: "#cfe3f7",
  sentence: "#fbe7bd",
  passage: "#d2ecd3",
};

/** Of a node's box, in pixels. A line of its label has some 25 letters. */
const BOX = { width: 176, height: 66 };
/** Lines of a label, and a line's width in ems. */
const LINES = 3;
const LINE_WIDTH = 14.5;

interface Node {
  readonly kind: Kind;
  readonly label: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

export function pathPicture(exploration: Exploration): Shown {
  const nodes = nodesOf(exploration);
  const { boxes, edges, width, height } = layOut(
    exploration.passages.map(({ path }) => path),
    nodes,
  );
  const left = ({ x }: Place) => x - BOX.width / 2;
  const top = ({ y }: Place) => y - BOX.height / 2;
  return picture({
    ...{ width, height, margin: 0, axis: null, x: { type: "identity" }, y: { type: "identity" } },
    marks: [
      rect(boxes, {
        ...{ x1: left, y1: top, x2: ({ x }: Place) => x + BOX.width / 2, y2: ({ y }: Place) => y + BOX.height / 2 },
        ...{ fill: ({ kind }: Node) => FILL[kind], stroke: "#8b949e", rx: 6 },
      }),
      // Over the boxes, whose borders their heads touch.
      line(edges.flat(), { x: "x", y: "y", z: "edge", stroke: "#57606a", curve: "basis", markerEnd: "arrow" }),
      text(boxes, {
        ...{ x: left, y: top, dx: 8, dy: 7, text: "kind", fill: "#57606a" },
        ...{ textAnchor: "start", lineAnchor: "top", fontSize: 10 },
      }),
      text(boxes, {
        ...{ x: left, y: top, dx: 8, dy: 21, text: ({ label }: Node) => cut(label) },
        ...{ textAnchor: "start", lineAnchor: "top", lineWidth: LINE_WIDTH, fontSize: 11 },
      }),
    ],
  });
}

/** By id, all that paths lead through. */
function nodesOf({ question, seeds, sentences, bridges, carriers, passages, sources }: Exploration): Map<string, Node> {
  const titles = new Map([...passages, ...sources].map(({ passageId, title }) => [passageId, title ?? passageId]));
  const passage = (id: string): Node => ({ kind: "passage", label: titles.get(id) ?? id });
  return new Map<string, Node>([
    ["question", { kind: "question", label: question }],
    ...seeds.map((seed): [string, Node] => {
      if (seed.kind === "entity") return [seed.id, { kind: "entity", label: seed.entity }];
      return [seed.id, seed.kind === "passage" ? passage(seed.passageId) : { kind: "similarity", label: seed.via }];
    }),
    ...sentences.map(({ id, text }): [string, Node] => [id, { kind: "sentence", label: text }]),
    ...bridges.map(({ id, entity }): [string, Node] => [id, { kind: "entity", label: entity }]),
    ...carriers.map(({ id, passageId }): [string, Node] => [id, passage(passageId)]),
    ...passages.map(({ id, rank, passageId }): [string, Node] => [
      id,
      { kind: "passage", label: `${rank}. ${passage(passageId).label}` },
    ]),
  ]);
}

/** dagre's layers draw nothing at random: the same paths give the same picture. */
function layOut(paths: readonly (readonly string[])[], nodes: ReadonlyMap<string, Node>) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 30, ranker: "longest-path" });
  for (const path of paths) {
    for (const id of path) graph.setNode(id, { ...BOX });
    path.slice(1).forEach((id, i) => graph.setEdge(path[i], id, {}));
  }
  dagre.layout(graph);
  const { width, height } = graph.graph() as { width: number; height: number };
  return {
    boxes: graph.nodes().map((id) => ({ ...nodes.get(id)!, ...(graph.node(id) as Place) })),
    edges: graph
      .edges()
      .map((edge, i) => (graph.edge(edge) as { points: Place[] }).points.map(({ x, y }) => ({ x, y, edge: i }))),
    ...{ width, height },
  };
}

/** As much of a label as its box has room for. */
function cut(label: string): string {
  const most = LINES * 23;
  return label.length > most ? `${label.slice(0, most).trimEnd()}…` : label;
}
