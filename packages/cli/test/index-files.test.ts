import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../src/terminal.js";
import { cli, Folder, json, jsonLines } from "./support/cli.js";

interface Report {
  added: number;
  replaced: number;
  unchanged: number;
  deleted: number;
  skipped: number;
  passages: number;
  complete: boolean;
}

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const index = (...args: string[]) => json<Report>(["index", ...args, "--into", folder.at("index"), "-q"]);
const idsOf = async () => {
  const { out } = await cli(["export", "--in", folder.at("index")]);
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { id: string }).id)
    .sort();
};
const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `${i}`,
    title: `Lake ${i}`,
    text: `Lake ${i} flows into Lake ${i + 1}.`,
  }));

describe("index", () => {
  test("again brings the index in step with the files", async () => {
    folder.write("docs/film.md", "# Blue Lake\n\nA film.\n\n## Cast\n\nAda Byron.\n\n## Music\n\nVera Holm.\n");
    folder.write("docs/people/ada.txt", "Ada Byron was born in Lima.\n");
    folder.write("more.jsonl", jsonLines({ id: 7, text: "Lima is a city.", metadata: { year: 1535 } }));
    const sources = [folder.at("docs"), folder.at("more.jsonl"), "--root", folder.path];
    expect(await index(...sources)).toMatchObject({ added: 5, unchanged: 0, passages: 5, complete: true });
    const documents = ["docs/film.md#1", "docs/film.md#Cast#1", "docs/film.md#Music#1", "docs/people/ada.txt#1"];
    expect(await idsOf()).toEqual(["7", ...documents]);

    // What is written under one heading leaves the others alone.
    folder.write(
      "docs/film.md",
      "# Blue Lake\n\nA film.\n\n## Plot\n\nShe left.\n\n## Cast\n\nAda Holm.\n\n## Music\n\nVera Holm.\n",
    );
    rmSync(folder.at("docs/people/ada.txt"));
    expect(await index(...sources)).toMatchObject({ added: 1, replaced: 1, unchanged: 3, deleted: 0, passages: 6 });
    expect(await index(...sources, "--prune")).toMatchObject({ added: 0, unchanged: 5, deleted: 1, passages: 5 });
    expect(await idsOf()).toEqual(["7", ...documents.slice(0, 3), "docs/film.md#Plot#1"]);
  });

  test("by threads makes the same files", async () => {
    const file = folder.write("a.jsonl", jsonLines(...rows(40)));
    await cli(["index", file, "--into", folder.at("one")]);
    await cli(["index", file, "--into", folder.at("two"), "--workers", "2"]);
    const segments = ["one", "two"].map((name) =>
      readdirSync(folder.at(name))
        .filter((each) => each.endsWith(".seg"))
        .map((each) => readFileSync(join(folder.at(name), each))),
    );
    expect(segments[0]).toHaveLength(1);
    expect(segments[1]).toEqual(segments[0]);
    expect(await cli(["index", file, "--into", folder.at("two"), "--workers", "0"])).toMatchObject({
      code: EXIT.usage,
    });
  });

  test("says in words what it did, and shows its progress beside", async () => {
    const file = folder.write("a.jsonl", jsonLines(...rows(3)));
    const { out, err } = await cli(["index", file, "--into", folder.at("index")]);
    expect(out).toBe("3 added, 0 replaced, 0 unchanged, 0 deleted; the index holds 3 passages\n");
    expect(err).toContain("100 %  3 passages");
  });

  test.each([
    ["no JSON", "{", /a\.jsonl:2: expected a passage \{id, title\?, text, metadata\?\}/],
    ["no text", '{"id":"x"}', /a\.jsonl:2: .*text: /],
    ["a blank text", '{"id":"x","text":" "}', /a\.jsonl:2: .*not blank/],
    ["an id twice", jsonLines(rows(1)[0]), /a\.jsonl:2: expected an id of its own, got "0", as in .*a\.jsonl:1/],
  ])("stops at a row with %s, or passes it over if asked to", async (_, row, message) => {
    const [first, , last] = rows(3);
    const file = folder.write("a.jsonl", `${jsonLines(first)}${row.trim()}\n${jsonLines(last)}`);
    const args = ["index", file, "--into", folder.at("index"), "--batch", "1"];
    const { code, out, err } = await cli(args);
    expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
    expect(err).toMatch(message);
    expect(err).not.toContain("    at ");
    expect(await idsOf()).toEqual(["0"]);
    const skipping = await cli([...args, "--skip-bad-rows"]);
    expect(skipping).toMatchObject({ code: EXIT.done, out: expect.stringContaining("1 added") as string });
    expect(skipping.out).toContain("1 skipped");
    expect(skipping.err).toMatch(message);
    expect(await idsOf()).toEqual(["0", "2"]);
    // What was passed over might be a passage that pruning would delete.
    expect((await cli([...args, "--skip-bad-rows", "--prune"])).code).toBe(EXIT.usage);
  });

  test.each([
    ["a file that is not there", ["none.jsonl"], /none\.jsonl: expected a file or folder/],
    ["a file of another kind", ["package.json"], /expected a \.jsonl/],
    ["the same file twice", ["a.md", "a.md"], /once/],
    ["another embedder", ["-", "--embedder", "word2vec:x"], /expected transformers:MODEL or openai:MODEL/],
    ["a batch of nothing", ["a.md", "--batch", "0"], /at least 1/],
  ])("refuses %s", async (_, args, message) => {
    const { code, err } = await cli(["index", ...args, "--into", folder.at("index")]);
    expect(err).toMatch(message);
    expect(code).toBe(EXIT.usage);
  });

  test("never prunes an index to nothing because nothing was found", async () => {
    await index(folder.write("a.jsonl", jsonLines(...rows(2))));
    folder.write("empty/blank.md", "\n");
    const { code, err } = await cli(["index", folder.at("empty"), "--into", folder.at("index"), "--prune"]);
    expect(err).toContain("expected at least one passage");
    expect(code).toBe(EXIT.usage);
    expect(await idsOf()).toEqual(["0", "1"]);
  });
});

describe("an interrupted run", () => {
  test("ends after the batch at work, and goes on where it stopped", async () => {
    const all = rows(9);
    const controller = new AbortController();
    // The third batch is being read.
    async function* input() {
      yield jsonLines(...all.slice(0, 5));
      controller.abort();
      yield jsonLines(...all.slice(5));
    }
    const args = ["index", "-", "--into", folder.at("index"), "--batch", "2"];
    const { code, out, err } = await cli([...args, "--json"], { input: input(), signal: controller.signal });
    expect(code).toBe(EXIT.interrupted);
    expect(err).toContain("goes on from here");
    expect(JSON.parse(out)).toMatchObject({ added: 4, complete: false, passages: 4 });
    expect(await idsOf()).toEqual(["0", "1", "2", "3"]);

    const rest = await json<Report>([...args, "--prune"], { input: [jsonLines(...all)] });
    expect(rest).toMatchObject({ added: 5, unchanged: 4, deleted: 0, complete: true });
    expect(await idsOf()).toEqual(all.map(({ id }) => id));
  });

  test("prunes nothing", async () => {
    await index(folder.write("a.jsonl", jsonLines(...rows(2))));
    const controller = new AbortController();
    async function* input() {
      yield jsonLines({ id: "new", text: "x" });
      controller.abort();
      yield "";
    }
    const args = ["index", "-", "--into", folder.at("index"), "--prune", "--batch", "1"];
    expect((await cli(args, { input: input(), signal: controller.signal })).code).toBe(EXIT.interrupted);
    expect(await idsOf()).toEqual(["0", "1", "new"]);
  });
});
