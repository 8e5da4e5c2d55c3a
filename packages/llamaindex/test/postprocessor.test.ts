// The graph's judgement of what another retriever brought.
import { MetadataMode, type NodeWithScore, TextNode } from "@llamaindex/core/schema";
import { InvalidArgumentError, type TriGraph } from "@trigraph/core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { TriGraphPostprocessor, type TriGraphPostprocessorOptions, TriGraphRetriever } from "../src/index.js";
import { CHAIN, idsOf, nodes, QUESTION } from "./support/world.js";

let index: TriGraph;
beforeAll(async () => {
  ({ index } = await TriGraphRetriever.fromNodes(nodes()));
});

/** What another retriever brought: the decoy first. */
const brought = (...ids: string[]): NodeWithScore[] =>
  ids.map((id, i) => ({ node: nodes().find(({ id_ }) => id_ === id)!, score: 0.9 - i / 10 }));

const unknown: NodeWithScore = { node: new TextNode({ id_: "unknown", text: "Not in the index." }), score: 0.95 };

describe("rerank", () => {
  test("orders what came by the graph, and adds nothing", async () => {
    const incoming = brought("decoy", "mother", "film");
    const before = structuredClone(incoming.map(({ node, score }) => ({ node: { ...node }, score })));
    const reranked = await new TriGraphPostprocessor({ index, mode: "rerank" }).postprocessNodes(incoming, QUESTION);
    expect(idsOf(reranked)).toHaveLength(3);
    expect(idsOf(reranked).indexOf("film")).toBeLessThan(idsOf(reranked).indexOf("decoy"));
    const scores = reranked.map(({ score }) => score!);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    // New objects around the very nodes, which stay as they were.
    expect(incoming.map(({ node, score }) => ({ node: { ...node }, score }))).toEqual(before);
    for (const found of reranked) {
      const own = incoming.find(({ node }) => node === found.node)!;
      expect(own).toBeDefined();
      expect(found).not.toBe(own);
      expect(found.priorScore).toBe(own.score);
    }
  });

  test("goes through passages that did not come", async () => {
    // The film leads to the mother through the director, neither of whom is here.
    const incoming = brought("other", "mother").map(({ node }) => ({ node, score: 0.5 }));
    const found = await new TriGraphPostprocessor({ index, mode: "rerank" }).postprocessNodes(incoming, QUESTION);
    const priors = incoming.map(({ node, score }) => ({ id: node.id_, score }));
    const scores = async (filter?: (passage: { id: string }) => boolean) =>
      (await index.retrieve(QUESTION, { k: 5, priors, filter }))
        .filter(({ passage }) => ["other", "mother"].includes(passage.id))
        .map(({ passage, score }) => ({ id: passage.id, score }));
    const ranked = found.map(({ node, score }) => ({ id: node.id_, score }));
    expect(ranked).toEqual(await scores());
    expect(ranked).not.toEqual(await scores(({ id }) => ["other", "mother"].includes(id)));
  });

  test("heeds the scores that nodes come with", async () => {
    const processor = new TriGraphPostprocessor({ index, mode: "rerank" });
    const rank = async (decoy: number) => {
      const incoming = brought("decoy", "other");
      incoming[0].score = decoy;
      return idsOf(await processor.postprocessNodes(incoming, "Tell me."));
    };
    expect(await rank(0.1)).toEqual(["other", "decoy"]);
    expect(await rank(0.9)).toEqual(["decoy", "other"]);
  });

  test("keeps nodes whose scores say nothing", async () => {
    const processor = new TriGraphPostprocessor({ index, mode: "rerank" });
    const incoming = brought("decoy", "film", "mother", "other");
    incoming[0].score = -3;
    incoming[1].score = 0;
    delete incoming[2].score;
    const found = await processor.postprocessNodes(incoming, QUESTION);
    expect(idsOf(found).sort()).toEqual(["decoy", "film", "mother", "other"]);
    incoming[3].score = NaN;
    await expect(processor.postprocessNodes(incoming, QUESTION)).rejects.toThrow(InvalidArgumentError);
  });

  test("leaves nodes that the index does not hold, after the others", async () => {
    const processor = new TriGraphPostprocessor({ index, mode: "rerank" });
    const found = await processor.postprocessNodes([unknown, ...brought("film")], QUESTION);
    expect(idsOf(found)).toEqual(["film", "unknown"]);
    expect(found[1]).toEqual(unknown);
    expect(found[1]).not.toBe(unknown);
    expect(await processor.postprocessNodes([unknown], QUESTION)).toEqual([unknown]);
  });

  test("returns at most topN", async () => {
    const processor = new TriGraphPostprocessor({ index, mode: "rerank", topN: 2 });
    expect(await processor.postprocessNodes([unknown, ...brought("decoy", "film", "other")], QUESTION)).toHaveLength(2);
  });
});

describe("extend", () => {
  test("adds what the graph leads to", async () => {
    const processor = new TriGraphPostprocessor({ index, mode: "extend", append: 2 });
    const found = await processor.postprocessNodes(brought("film"), QUESTION);
    expect(idsOf(found)).toEqual(CHAIN);
    expect(found[2].node.getContent(MetadataMode.NONE)).toContain("Greta Holm was a painter.");
    expect(found.map(({ priorScore }) => priorScore)).toEqual([0.9, undefined, undefined]);
    const scores = found.map(({ score }) => score!);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test("keeps every node that came, however it ranks", async () => {
    const processor = new TriGraphPostprocessor({ index, mode: "extend", append: 1 });
    const found = await processor.postprocessNodes([...brought("other", "decoy"), unknown], QUESTION);
    expect(idsOf(found)).toHaveLength(4);
    expect(idsOf(found)).toEqual(expect.arrayContaining(["other", "decoy", "unknown"]));
    expect(idsOf(found).at(-1)).toBe("unknown");
  });

  test("adds nothing that its filters hide", async () => {
    const filters = { filters: [{ key: "year", operator: "<" as const, value: 1900 }] };
    const processor = new TriGraphPostprocessor({ index, mode: "extend", filters });
    const found = await processor.postprocessNodes(brought("decoy"), QUESTION);
    expect(idsOf(found).sort()).toEqual(["decoy", "mother"]);
  });

  test("asks the index once when its best are enough", async () => {
    const asked = vi.spyOn(index, "retrieve");
    await new TriGraphPostprocessor({ index, mode: "extend" }).postprocessNodes(brought("film"), QUESTION);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});

test.each(["rerank", "extend"] as const)("%s ends with its signal", async (mode) => {
  const signal = AbortSignal.abort(new Error("no"));
  const judged = new TriGraphPostprocessor({ index, mode, signal }).postprocessNodes(brought("film"), QUESTION);
  await expect(judged).rejects.toThrow("no");
});

test("nothing in, nothing out; and no question, no answer", async () => {
  const processor = new TriGraphPostprocessor({ index, mode: "rerank" });
  expect(await processor.postprocessNodes([])).toEqual([]);
  await expect(processor.postprocessNodes(brought("film"))).rejects.toThrow(
    /^postprocessNodes: expected the query, got none/,
  );
  const query = [{ type: "text" as const, text: QUESTION }];
  expect(idsOf(await processor.postprocessNodes(brought("film"), query))).toEqual(["film"]);
});

test.each([
  [{ mode: "sort" }, 'expected the mode "rerank" or "extend", got "sort"'],
  [{ mode: "rerank", append: 2 }, 'got "append"'],
  [{ mode: "extend", append: 0 }, "append: expected an integer of at least 1, got 0"],
  [{ mode: "rerank", topN: 0 }, "topN: expected an integer of at least 1, got 0"],
  [{ mode: "extend", filters: { filters: [], condition: "xor" } }, "filters: expected the condition"],
])("%j is refused", (options, message) => {
  const make = () => new TriGraphPostprocessor({ index, ...options } as unknown as TriGraphPostprocessorOptions);
  expect(make).toThrow(InvalidArgumentError);
  expect(make).toThrow(message);
});
