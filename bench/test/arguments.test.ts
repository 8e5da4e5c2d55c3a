import { describe, expect, test } from "vitest";
import { parseArguments } from "../src/arguments.js";
import { UsageError } from "../src/errors.js";

describe("parseArguments", () => {
  test("runs everything by default when there is data, else the generated sizes", () => {
    expect(parseArguments(["--data", "folder"])).toMatchObject({
      parts: ["quality", "speed", "push", "vectors"],
      sizes: [
        { kind: "2wiki" },
        { kind: "mix" },
        { kind: "generated", passages: 30_000 },
        { kind: "generated", passages: 100_000 },
        { kind: "generated", passages: 1_000_000 },
      ],
      seed: 1,
      runs: 3,
    });
    expect(parseArguments([])).toMatchObject({
      parts: ["speed"],
      sizes: [
        { kind: "generated", passages: 30_000 },
        { kind: "generated", passages: 100_000 },
      ],
    });
  });

  test("reads sizes", () => {
    expect(parseArguments(["speed", "--sizes", "6k, 2500,1.5m,generated:6k"])?.sizes).toEqual([
      { kind: "2wiki" },
      { kind: "generated", passages: 2500 },
      { kind: "generated", passages: 1_500_000 },
      { kind: "generated", passages: 6000 },
    ]);
  });

  test.each([
    [["everything"]],
    [["speed", "quality"]],
    [["--unknown"]],
    [["--sizes", "100"]],
    [["--sizes", "10q"]],
    [["--sizes", ""]],
    [["--seed", "1.5"]],
    [["--runs", "0"]],
    [["--failures", "-1"]],
  ])("refuses %j", (args) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
  });

  test("offers help", () => {
    expect(parseArguments(["--help"])).toBeUndefined();
  });
});
