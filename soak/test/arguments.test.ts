import { expect, it } from "vitest";
import { parseArguments, UsageError } from "../src/arguments.js";

it("names a soak and its numbers", () => {
  expect(parseArguments([])).toBeUndefined();
  expect(parseArguments(["kills", "--kills", "7"])).toEqual({ soak: "kills", values: { seed: 1, kills: 7 } });
  for (const wrong of [["kill"], ["kills", "--count", "1"], ["kills", "--kills", "many"], ["kills", "--kills", "-1"]]) {
    expect(() => parseArguments(wrong), wrong.join(" ")).toThrow(UsageError);
  }
});
