import { ReadError } from "@trigraph/console/read";
import { afterEach, describe, expect, test } from "vitest";
import { parseArguments, USAGE } from "../src/arguments.js";
import { UsageError } from "../src/errors.js";
import type { toJson } from "../src/json.js";
import { makeFolder, plainStyle, run } from "./support/run.js";

const QUESTION = "Who is the father of the director of Summer Skin?";

describe("one question", () => {
  test("over the bundled corpus, with what each ranking alone shows", async () => {
    const printed = await run([QUESTION]);
    expect(printed).toContain("600 passages");
    expect(printed).toContain("path question → Summer Skin → Leopoldo Torre Nilsson → here");
    expect(printed).toMatch(/^\+ \d Leopoldo Torre Nilsson/m);
  });

  test("may come without quotes", () => {
    expect(parseArguments(["who", "is", "it?"]).question).toBe("who is it?");
  });

  test("stands above BM25 in a narrow terminal, beside it in a wide one", async () => {
    expect(await run([QUESTION], plainStyle(60))).toMatch(/^trigraph\n[^]*\n\nBM25\n/m);
    expect(await run([QUESTION], plainStyle(140))).toMatch(/^trigraph +│ BM25$/m);
  });

  test("shows k passages", async () => {
    const { trigraph, bm25 } = JSON.parse(await run([QUESTION, "--json", "--k", "7"])) as ReturnType<typeof toJson>;
    expect(trigraph.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(bm25).toHaveLength(7);
    expect(trigraph[0].evidence?.via).toBe("graph");
  });
});

describe("one's own corpus", () => {
  let folder: Awaited<ReturnType<typeof makeFolder>> | undefined;
  afterEach(() => folder?.remove());
  const write = async (files: Record<string, string | Uint8Array>) => (folder = await makeFolder(files)).path;
  const jsonLines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

  test("of rows", async () => {
    const path = await write({
      "a.jsonl": jsonLines(
        {
          id: "1",
          title: "Blue Lake",
          text: "Blue Lake is a film by Ada Byron.",
          metadata: { year: 1961, tags: ["a"] },
        },
        { id: "2", title: "Ada Byron", text: "She was born in Lima.", extra: 1 },
      ),
      "b.jsonl": `\n${jsonLines({ id: "3", text: "Lima is a city." })}\n`,
    });
    const printed = await run([
      "--corpus",
      `${path}/a.jsonl`,
      "--corpus",
      `${path}/b.jsonl`,
      "Where was the director of Blue Lake born?",
    ]);
    expect(printed).toContain("3 passages");
    expect(printed).toContain("path question → Blue Lake → Ada Byron → here (title)");
    expect(printed).toContain("via  #1: “Blue Lake is a film by Ada Byron.”");
  });

  test("of too few passages for BM25", async () => {
    const path = await write({ "a.jsonl": jsonLines({ id: "1", text: "One." }) });
    expect(await run(["--corpus", `${path}/a.jsonl`, "one"])).toContain("needs at least three passages");
  });

  test("that has nothing to do with the question", async () => {
    const path = await write({ "a.jsonl": jsonLines(...["1", "2", "3"].map((id) => ({ id, text: "One." }))) });
    const printed = await run(["--corpus", `${path}/a.jsonl`, "xyzzy"], plainStyle(60));
    expect(printed).toContain("no passage shares a name or a word with the question");
    expect(printed).toContain("no passage shares a word with the question");
  });

  test("of texts and Markdown in a folder", async () => {
    const path = await write({
      "film.md": "# Blue Lake\n\nBlue Lake is a film by Ada Byron.\n",
      "people/ada.txt": "Ada Byron was born in Lima.\n\nShe died in Quito.\n",
      "people/.hidden.md": "hidden",
      "node_modules/x/readme.md": "not ours",
      "image.png": new Uint8Array([1, 2, 3]),
    });
    const { passages, trigraph } = JSON.parse(
      await run(["--corpus", path, "Where was the director of Blue Lake born?", "--json"]),
    ) as { passages: number } & ReturnType<typeof toJson>;
    expect(passages).toBe(2);
    const name = path.split("/").at(-1);
    expect(trigraph.map(({ id }) => id)).toEqual([`${name}/film.md#1`, `${name}/people/ada.txt#1`]);
  });

  test.each([
    ["no JSON", '{"id": "1", "text": "a"}\n{"id"', /rows\.jsonl:2: expected a passage \{id/],
    ["a list as id", '{"id": "1", "text": "a"}\n\n{"id": [2], "text": "b"}', /rows\.jsonl:3: .*id: /],
    ["no text", '{"id": "1"}', /rows\.jsonl:1: .*text: /],
    ["a blank text", '{"id": "1", "text": " "}', /rows\.jsonl:1: .*not blank/],
    ["a list", "[]", /rows\.jsonl:1: .*object/],
    ["an id twice", '{"id": "1", "text": "a"}\n{"id": "1", "text": "b"}', /rows\.jsonl:2: .*"1".*rows\.jsonl:1/],
    ["nothing", "\n", /rows\.jsonl: expected at least one passage/],
    ["no UTF-8", new Uint8Array([0xff, 0xfe, 0x7b]), /rows\.jsonl: expected text in UTF-8/],
  ])("of rows with %s is refused", async (_, rows, message) => {
    const path = await write({ "rows.jsonl": rows });
    const error: unknown = await run(["--corpus", `${path}/rows.jsonl`, "q"]).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ReadError);
    expect((error as Error).message).toMatch(message);
  });

  test("that is not there, empty, or of another kind is refused", async () => {
    const path = await write({ "a.csv": "1,2", "empty/b.bin": "" });
    await expect(run(["--corpus", `${path}/none`, "q"])).rejects.toThrow(/none: expected a file or folder/);
    await expect(run(["--corpus", `${path}/empty`, "q"])).rejects.toThrow(/empty: expected at least one passage/);
    await expect(run(["--corpus", `${path}/a.csv`, "q"])).rejects.toThrow(/a\.csv: expected a \.jsonl/);
  });

  test("without a question is explained", async () => {
    await expect(run(["--corpus", "x", "--json"])).rejects.toThrow(/expected a question/);
  });
});

describe("arguments", () => {
  test.each([
    [["--k", "0"]],
    [["--k", "2.5"]],
    [["--k", ""]],
    [["--what"]],
    [["--corpus", ""]],
    [[" "]],
    [["--all", "q"]],
  ])("%j are refused", (args) => {
    expect(() => parseArguments(args)).toThrow(UsageError);
  });

  test("are all in the usage", () => {
    for (const name of ["--corpus", "--k", "--all", "--json", "--no-color", "--help"]) expect(USAGE).toContain(name);
  });
});
