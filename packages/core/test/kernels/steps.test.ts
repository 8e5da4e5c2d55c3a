import { describe, expect, it, vi } from "vitest";
import { nextTurn } from "../../src/abort.js";
import { finish, inRows, inTurns, type Steps } from "../../src/steps.js";

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
      for (; !isDone; turns++) await nextTurn();
    })();
    await inTurns(counting(90), undefined).finally(() => (isDone = true));
    clock.mockRestore();
    await other;
    // Eight steps a turn.
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(turns).toBeLessThanOrEqual(14);
  });

  it("let timers and files in, with and without what Node has for it", async () => {
    for (const immediate of [setImmediate, undefined]) {
      vi.stubGlobal("setImmediate", immediate);
      const clock = vi.spyOn(performance, "now").mockImplementation(() => 8 * ++now);
      let now = 0;
      let isDone = false;
      const timer = new Promise((resolve) => setTimeout(resolve, 5)).then(() => (isDone = true));
      function* untilThen(): Steps<void> {
        while (!isDone) yield;
      }
      await inTurns(untilThen(), undefined);
      await timer;
      clock.mockRestore();
      vi.unstubAllGlobals();
    }
  });

  it("go through rows by their entries, every row once", () => {
    const indptr = Uint32Array.of(0, 3, 3, 3, 10, 11, 12);
    const runs = (entries: number) => {
      const seen: number[][] = [];
      finish(inRows(indptr, entries, (start, end) => seen.push([start, end])));
      return seen;
    };
    expect(runs(1)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
    expect(runs(5)).toEqual([
      [0, 2],
      [2, 3],
      [3, 4],
      [4, 6],
    ]);
    expect(runs(100)).toEqual([[0, 6]]);
    expect(finish(inRows(Uint32Array.of(0), 5, () => expect.unreachable()))).toBeUndefined();
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
