import type { Evidence, Passage } from "@trigraph/core";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { beside, hang, table, wrap } from "../src/print/layout.js";
import { describePath } from "../src/print/path.js";

test("layout counts the columns of wide characters", () => {
  const lines = hang("via  ", "吾輩は猫である。名前はまだ無い。", 20);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(20);
  expect(lines[1]).toMatch(/^ {5}\S/);
  const [first, second] = beside(["猫", "b"], ["x", "y"], 4, "|");
  expect(first).toBe("猫  |x");
  expect(second).toBe("b   |y");
  expect(
    table([
      ["", "x"],
      ["猫", "10"],
    ]),
  ).toEqual(["      x", "猫   10"]);
  expect(wrap("a\u001b[31mb\u001b[39m c", 2)[1]).toBe("c");
});

/** Of evidence whose scores no one looks at. */
const stages = { similarity: 0.5, activation: 0, pageRank: 0 };

describe("a path in words", () => {
  const passages: Record<string, Passage> = {
    "1": { id: "1", title: "Blue Lake", text: "Blue Lake is a film. It is by Ada Byron." },
    "2": { id: "2", title: "Ada Byron", text: "She was born in Lima." },
  };
  const passageOf = (id: string) => passages[id];
  const place = (passageId: string, field: "text" | "title", start: number, end: number) => ({
    entity: "x",
    passageId,
    field,
    span: { start, end },
  });
  const seed = { kind: "entity", entity: "blue lake", span: { start: 8, end: 17 }, activation: 1 } as const;
  const question = "Who was Blue Lake by?";

  test("from a name through a passage", () => {
    const evidence: Evidence = {
      via: "graph",
      stages,
      seed,
      steps: [{ via: "passage", from: place("1", "text", 0, 9), to: place("1", "text", 30, 39), contribution: 0.1 }],
      arrival: { ...place("2", "title", 0, 9), defines: true, by: "activation", contribution: 0.5 },
      sentence: undefined,
    };
    expect(describePath(question, evidence, passageOf)).toEqual({
      stations: ["question", "Blue Lake", "Ada Byron", "here (title)"],
      links: [
        {
          passageId: "1",
          quote: {
            text: passages["1"].text,
            names: [
              { start: 0, end: 9 },
              { start: 30, end: 39 },
            ],
          },
        },
      ],
    });
  });

  test("from a similar passage", () => {
    const evidence: Evidence = {
      via: "graph",
      stages,
      seed: {
        kind: "passage",
        via: "words",
        passageId: "1",
        similarity: 0.5,
        entity: "ada byron",
        place: place("1", "text", 30, 39),
      },
      steps: [],
      arrival: { ...place("2", "title", 0, 9), defines: false, by: "activation", contribution: 0.5 },
      sentence: undefined,
    };
    expect(describePath(question, evidence, passageOf)).toEqual({
      stations: ["question", "shared words", "Ada Byron", "here"],
      links: [{ passageId: "1", quote: { text: "It is by Ada Byron.", names: [{ start: 9, end: 18 }] } }],
    });
  });

  test("without the graph", () => {
    const evidence: Evidence = { via: "words", similarity: 0.5, sentence: undefined, stages };
    expect(describePath(question, evidence, passageOf)).toEqual({
      stations: ["question", "shared words", "here"],
      links: [],
    });
  });
});
