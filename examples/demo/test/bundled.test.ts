import stringWidth from "string-width";
import { beforeAll, describe, expect, test } from "vitest";
import { readBundledQuestions } from "../src/bundled.js";
import type { allToJson } from "../src/json.js";
import { plainStyle, run } from "./support/run.js";

type Json = ReturnType<typeof allToJson>;

describe("the bundled questions", () => {
  let printed: string;
  let json: Json;

  beforeAll(async () => {
    printed = await run([]);
    json = JSON.parse(await run(["--json"])) as Json;
  });

  test("are all named, the first of each type in full", async () => {
    const text = printed.replace(/\s+/g, " ");
    for (const { question } of await readBundledQuestions()) expect(text).toContain(question.replace(/\s+/g, " "));
    expect(printed.match(/^\d+\/40 /gm)).toHaveLength(4);
    expect(printed).toContain("The other 36 questions");
  });

  test("are all in full with --all", async () => {
    const all = await run(["--all"]);
    expect(all.match(/^\d+\/40 /gm)).toHaveLength(40);
    expect(all).not.toContain("The other");
  });

  test("show the path, the sentence on it and BM25 beside it", () => {
    expect(printed).toMatch(/path question → Moonnupookkal → P\. Bhaskaran → here/);
    expect(printed).toMatch(/via {2}#\d: “Moonnupookkal is a 1971 Indian Malayalam film/);
    expect(printed).toMatch(/^trigraph +│ BM25$/m);
    expect(printed).toMatch(/✗ P\. Bhaskaran: only at rank/);
  });

  test("end in the totals and the losses, which agree with what is shown of each question", () => {
    const { totals, questions } = json;
    const { won, tied, lost } = totals.outcomes;
    expect(won + tied + lost).toBe(40);
    expect(printed).toContain(`${won} won, ${tied} tied, ${lost} lost`);
    const { trigraph, bm25 } = totals.measures;
    for (const share of [trigraph.recallAt2, trigraph.recallAt5, bm25.recallAt2, bm25.recallAt5]) {
      expect(printed).toContain(`${(100 * share).toFixed(1)} %`);
    }
    const lossesPrinted = printed.slice(printed.indexOf("Lost: where BM25 does better")).match(/^ ?\d+ {2}\S/gm) ?? [];
    expect(lossesPrinted).toHaveLength(lost);
    expect(questions.filter(({ outcome }) => outcome === "lost")).toHaveLength(lost);
    // By the top 5 shown, not by the ranks that the totals are computed from.
    const goldIn = (hits: readonly { gold?: boolean }[]) => hits.filter(({ gold }) => gold).length;
    expect(questions.filter((each) => goldIn(each.trigraph) > goldIn(each.bm25!))).toHaveLength(won);
    expect(trigraph.allGoldAt5).toBe(questions.filter((each) => goldIn(each.trigraph) === each.gold!.length).length);
  });

  test("are answered better by trigraph than by BM25 as a whole", () => {
    const { measures, outcomes } = json.totals;
    expect(measures.trigraph.recallAt5).toBeGreaterThan(measures.bm25.recallAt5 + 0.1);
    expect(outcomes.won).toBeGreaterThan(3 * outcomes.lost);
  });

  test("have the same totals whatever k is shown", async () => {
    for (const k of ["1", "12"]) {
      expect((JSON.parse(await run(["--json", "--k", k])) as Json).totals).toEqual(json.totals);
    }
  });

  test.each([40, 60, 95, 96, 140])("fit into %i columns", async (width) => {
    const lines = (await run(["--all"], plainStyle(width))).split("\n");
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
  });
});
