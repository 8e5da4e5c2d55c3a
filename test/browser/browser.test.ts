// Directories and indexes in the pages of a real browser: what they answer, what they keep, and who may write.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TriGraph, type UpsertReport } from "@trigraph/core";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchChromium, withoutChromium } from "../support/chromium.js";
import { root } from "../support/workspace.js";
import { directoryContract } from "../../packages/core/test/storage/directory-contract.js";
import { type Answer, askAll, vectorOptions } from "./asking.js";
import type { Outcome, Row } from "./page.js";
import { RemoteDirectory } from "./remote-directory.js";
import { openLab, serveLab } from "./site.js";

/** Enough for seeds, hops and ties, and few enough to index them in a second. */
const passages = readRows<Row>("corpus.jsonl").slice(0, 200);
const questions = readRows<{ question: string }>("questions.jsonl")
  .slice(0, 8)
  .map(({ question }) => question);
const some = passages.slice(0, 40);

function readRows<T>(file: string): T[] {
  const lines = readFileSync(join(root, "examples", "demo", "data", file), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** The same passages in the same order, scores but for roundings of other engines. */
function expectEqual(answers: readonly Answer[], expected: readonly Answer[]): void {
  const ids = (all: readonly Answer[]) => all.map((answer) => answer.map(([id]) => id));
  expect(ids(answers)).toEqual(ids(expected));
  answers.flat().forEach(([, score], i) => {
    const [, other] = expected.flat()[i];
    expect(Math.abs(score - other)).toBeLessThanOrEqual(1e-12 * other);
  });
}

function valueOf<T>(outcome: Outcome<T>): T {
  if ("error" in outcome) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

describe.skipIf(withoutChromium)("Chromium", () => {
  let site: Awaited<ReturnType<typeof serveLab>>;
  let profile: string;
  let browser: BrowserContext;

  beforeAll(async () => {
    site = await serveLab();
    profile = await mkdtemp(join(tmpdir(), "trigraph-profile-"));
    browser = await launchChromium(profile);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  describe("BrowserDirectory", () => {
    let page: Page;
    let count = 0;

    beforeAll(async () => {
      page = await openLab(browser, site.url);
    });

    afterAll(() => page.close());

    directoryContract("BrowserDirectory", async () => new RemoteDirectory(page, `contract ${++count}`), 10);
  });

  describe("TriGraph", () => {
    let page: Page;
    /** Each test has a database of its own. */
    let database = "";
    let count = 0;

    beforeEach(async () => {
      database = `notes ${++count}`;
      page = await openLab(browser, site.url);
    });

    afterEach(async () => {
      for (const open of browser.pages()) await open.close();
    });

    const openIndex = (page: Page, settings: { vectors?: boolean; create?: boolean } = {}) =>
      page.evaluate(([name, settings]) => window.lab.open(name, settings), [database, settings] as const);
    const upsert = (page: Page, passages: readonly Row[]): Promise<Outcome<UpsertReport>> =>
      page.evaluate((rows) => window.lab.upsert(rows), passages);
    const ask = async (page: Page) => valueOf(await page.evaluate((questions) => window.lab.ask(questions), questions));

    it("answers as in Node, and does so after a reload and after passages were deleted", async () => {
      const index = await TriGraph.create();
      await index.upsert(passages);
      valueOf(await openIndex(page, { create: true }));
      expect(valueOf(await upsert(page, passages))).toMatchObject({ added: passages.length });
      const expected = await askAll(index, questions);
      expectEqual(await ask(page), expected);

      await page.reload();
      expect(valueOf(await openIndex(page))).toBe(passages.length);
      expectEqual(await ask(page), expected);

      const gone = expected.map(([[id]]) => id);
      await index.delete(gone);
      valueOf(await page.evaluate((ids) => window.lab.delete(ids), gone));
      await page.reload();
      valueOf(await openIndex(page));
      const left = await ask(page);
      expect(left.flat().filter(([id]) => gone.includes(id))).toEqual([]);
      expectEqual(left, await askAll(index, questions));
      expect(valueOf(await page.evaluate(() => window.lab.check()))).toEqual([]);
    });

    it("searches vectors in eight bits by WebAssembly, and the same without where a page forbids it", async () => {
      const index = await TriGraph.create(vectorOptions());
      await index.upsert(passages);
      const expected = await askAll(index, questions);
      valueOf(await openIndex(page, { create: true, vectors: true }));
      valueOf(await upsert(page, passages));
      expectEqual(await ask(page), expected);
      expect(await page.evaluate(() => window.lab.kernels())).toBe(1);
      valueOf(await page.evaluate(() => window.lab.close()));

      const strict = await openLab(browser, `${site.url}/strict/`);
      valueOf(await openIndex(strict, { vectors: true }));
      expectEqual(await ask(strict), expected);
      expect(await strict.evaluate(() => window.lab.kernels())).toBe(0);
    });

    it("has one writer among all tabs, and says which", async () => {
      valueOf(await openIndex(page, { create: true }));
      const second = await openLab(browser, `${site.url}/strict/`);
      expect(await openIndex(second, { create: true })).toMatchObject({
        error: {
          name: "IndexError",
          code: "LOCKED",
          message: expect.stringContaining(`the page or worker ${site.url}/, perhaps in another tab`) as string,
        },
      });
      valueOf(await page.evaluate(() => window.lab.close()));
      valueOf(await openIndex(second, { create: true }));
      expect(await openIndex(page, { create: true })).toMatchObject({
        error: { code: "LOCKED", message: expect.stringContaining(`${site.url}/strict/`) as string },
      });
    });

    it.each([
      ["was closed", (page: Page) => page.close()],
      ["went elsewhere", (page: Page) => page.goto("about:blank")],
      ["crashed", crash],
    ])("takes over from a tab that %s", async (_, end) => {
      valueOf(await openIndex(page, { create: true }));
      valueOf(await upsert(page, some));
      await end(page);
      const second = await openLab(browser, site.url);
      expect(valueOf(await openIndex(second))).toBe(some.length);
      valueOf(await upsert(second, passages.slice(40, 50)));
      expect(valueOf(await second.evaluate(() => window.lab.check()))).toEqual([]);
    });

    it("changes nothing when the site may store no more, and tells what to do", async () => {
      // A site of its own: for some seconds Chromium goes by the room that it has found before.
      const small = await serveLab();
      const quotaSize = 300_000;
      const session = await browser.newCDPSession(page);
      await session.send("Storage.overrideQuotaForOrigin", { origin: small.url, quotaSize });
      try {
        await page.goto(small.url);
        valueOf(await openIndex(page, { create: true }));
        valueOf(await upsert(page, some));
        expect(await upsert(page, passages)).toMatchObject({
          error: {
            name: "IndexError",
            code: "STORAGE",
            message: expect.stringMatching(
              /^BrowserDirectory\.write: failed on "segment.*no more room.*Nothing was changed\. Delete/,
            ) as string,
          },
        });
        await page.reload();
        expect(valueOf(await openIndex(page))).toBe(some.length);
        expect(valueOf(await page.evaluate(() => window.lab.check()))).toEqual([]);
      } finally {
        await small.close();
      }
    });

    it("stops when it is told to, and tells when its database was removed", async () => {
      valueOf(await openIndex(page, { create: true }));
      valueOf(await upsert(page, some));
      const aborted = await page.evaluate((passages) => window.lab.upsertAborted(passages), passages);
      expect(aborted).toMatchObject({ error: { name: "AbortError" } });
      const second = await openLab(browser, site.url);
      await second.evaluate(
        (name) => new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = () => resolve(undefined))),
        database,
      );
      expect(await upsert(page, passages)).toMatchObject({
        error: { code: "STORAGE", message: expect.stringContaining("was removed by another page") as string },
      });
      expect(await openIndex(second)).toMatchObject({ error: { code: "NOT_FOUND" } });
    });

    it("holds what was written when the whole browser is killed, and may be written to again", async () => {
      valueOf(await openIndex(page, { create: true }));
      valueOf(await upsert(page, some));
      const session = await browser.newCDPSession(page);
      const closed = new Promise((resolve) => browser.once("close", resolve));
      // Nobody is left to answer.
      session.send("Browser.crash").catch(() => undefined);
      await closed;
      browser = await launchChromium(profile);
      page = await openLab(browser, site.url);
      expect(valueOf(await openIndex(page))).toBe(some.length);
      valueOf(await upsert(page, passages.slice(40, 50)));
      expect(valueOf(await page.evaluate(() => window.lab.check()))).toEqual([]);
    });
  });
});

/** Ends the page's process. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  session.send("Page.crash").catch(() => undefined);
  await crashed;
}
