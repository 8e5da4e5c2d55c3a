// Where nodes stand, without a browser.
import { describe, expect, test } from "vitest";
import { explore } from "../src/index.js";
import { pageData } from "../src/html/nodes.js";
import { BOX } from "../src/page/layout.js";
import { passagesWithin, Picture } from "../src/page/picture.js";
import { DEMO_QUESTION, demoPassages, indexOf } from "./support/corpus.js";

const demo = await indexOf(demoPassages());
const data = pageData(await explore(demo, DEMO_QUESTION, { k: 150, methods: ["fused"] }));

describe("a picture", () => {
  test.each([1, 10, 150])("of %i passages has their nodes, in columns, none over another", (count) => {
    const { nodes } = new Picture(data, count);
    expect(nodes.map(({ id }) => id).sort()).toEqual([...new Set(data.paths.slice(0, count).flat())].sort());
    const last = Math.max(...nodes.map(({ x }) => x));
    for (const { x, kind } of nodes) expect(Math.abs(x - last) < 1).toBe(kind === "passage");
    for (const [i, one] of nodes.entries()) {
      for (const other of nodes.slice(i + 1)) {
        const apart = Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height;
        if (!apart) expect.fail(`${one.id} is over ${other.id}`);
      }
    }
  });

  test("has the edges of the paths, from left to right", () => {
    const { edges } = new Picture(data, 40);
    const wanted = new Set(data.paths.slice(0, 40).flatMap((path) => path.slice(1).map((id, i) => `${path[i]} ${id}`)));
    expect(new Set(edges.map(({ from, to }) => `${from} ${to}`))).toEqual(wanted);
    for (const { source, target, bends } of edges) {
      const xs = [source.x, ...bends.map(({ x }) => x), target.x];
      expect([...xs].sort((a, b) => a - b)).toEqual(xs);
    }
    expect(edges.reduce((sum, { from, paths }) => sum + (from === "question" ? paths : 0), 0)).toBe(40);
  });

  test("is the same each time, the best passage in its upper half", () => {
    const [one, other] = [new Picture(data, 60), new Picture(data, 60)];
    expect(one.nodes).toEqual(other.nodes);
    const { least, greatest } = one.extent;
    expect(one.node("passage-1")!.y).toBeLessThanOrEqual((least.y + greatest.y) / 2);
  });

  test("knows what is next along the best path and in a column", () => {
    const picture = new Picture(data, 10);
    const [best] = data.paths;
    expect(picture.next("question", "ArrowRight")).toBe(best[1]);
    expect(picture.next("question", "ArrowLeft")).toBeUndefined();
    expect(picture.next("passage-1", "ArrowLeft")).toBe(best.at(-2));
    expect(picture.next("passage-1", "Home")).toBe("question");
    expect(picture.next("question", "End")).toBe("passage-1");
    const column: string[] = [];
    const top = picture.nodes.filter(({ kind }) => kind === "passage").sort((a, b) => a.y - b.y)[0].id;
    for (let id: string | undefined = top; id !== undefined; id = picture.next(id, "ArrowDown")) column.push(id);
    expect(column).toHaveLength(10);
    expect(column.map((id) => picture.next(id, "ArrowUp"))).toEqual([undefined, ...column.slice(0, -1)]);
  });

  test("follows all paths through a node", () => {
    const picture = new Picture(data, 150);
    for (const { id } of picture.nodes.filter(({ kind }) => kind === "bridge")) {
      const paths = data.paths.filter((path) => path.includes(id));
      expect([...picture.through(id).nodes].sort()).toEqual([...new Set(paths.flat())].sort());
    }
  });
});

test("as many passages are drawn at first as have few enough nodes, at least one", () => {
  const paths = [
    ["question", "a", "p1"],
    ["question", "a", "p2"],
    ["question", "b", "p3"],
  ];
  expect([1, 3, 4, 5, 6, 9].map((limit) => passagesWithin(paths, limit))).toEqual([1, 1, 2, 2, 3, 3]);
});
