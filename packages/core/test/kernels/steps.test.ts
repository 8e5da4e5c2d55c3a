import { describe, expect, it, vi } from "vitest";
import { finish, inTurns, type Steps } from "../../src/steps.js";

function* counting(to: number, seen: number[] = []): Steps<string> {
  for (let i = 0; i < to; i++) {
    seen.push(i);
    yield;
  }
  return `${to} steps`;
}

describe("steps", () => {
  it("are the same at once and in turns", async () => {
    const [atOnce, inParts]: number[][] = [[], []];
    expect(finish(counting(100, atOnce))).toBe("100 steps");
    expect(await inTurns(counting(100, inParts), undefined)).toBe("100 steps");
    expect(inParts).toEqual(atOnce);
  });

  it("let other work in when a turn is over, and not before", async () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    let turns = 0;
    let isDone = false;
    const other = (async () => {
      for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve, 0));
    })();
    await inTurns(counting(90), undefined).finally(() => (isDone = true));
    clock.mockRestore();
    await other;
    // Eight steps a turn.
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(turns).toBeLessThanOrEqual(14);
  });

  it("end with the signal, between two steps", async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    function* aborted(): Steps<void> {
      yield* counting(3, seen);
      controller.abort("stop");
      yield* counting(100, seen);
    }
    await expect(inTurns(aborted(), controller.signal)).rejects.toBe("stop");
    expect(seen).toEqual([0, 1, 2, 0]);
  });
});
