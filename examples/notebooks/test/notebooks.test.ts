/** Each notebook is executed from clean, and must show what is stored in it. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOrThrow } from "../../../test/support/processes.js";
import { python, withoutJupyter } from "./support/jupyter.js";
import { codeCells, shownBy } from "./support/notebook.js";
import { typeErrors } from "./support/types.js";

const FOLDER = join(import.meta.dirname, "..");
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".ipynb"));

const read = (folder: string, name: string) => codeCells(readFileSync(join(folder, name), "utf8"));

describe("notebooks", () => {
  it("are there", () => expect(NAMES.length).toBeGreaterThan(0));

  it("have types that hold", () => {
    const cells = new Map(NAMES.map((name) => [name, read(FOLDER, name).map(({ source }) => source.join(""))]));
    expect(typeErrors(FOLDER, cells)).toEqual([]);
  });
});

describe.skipIf(withoutJupyter)("notebooks, executed by Jupyter's client", () => {
  let executed: string;
  beforeAll(async () => {
    executed = await mkdtemp(join(tmpdir(), "trigraph-notebooks-"));
  });
  afterAll(() => rm(executed, { recursive: true, force: true }));

  it.each(NAMES)("%s shows what is stored", async (name) => {
    await runOrThrow(python(), [join("scripts", "execute.py"), executed, name], FOLDER);

    const stored = read(FOLDER, name).map(shownBy);
    expect(read(executed, name).map(shownBy)).toEqual(stored);
    expect(stored.flat()).not.toEqual([]);
  });
});
