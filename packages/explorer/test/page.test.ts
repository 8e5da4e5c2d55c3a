// The page in Chromium: what is drawn, pointer and keyboard, screen readers, colours, and that nothing leaves it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { explore, type Exploration, toHtml } from "../src/index.js";
import { visible } from "../src/html/visible.js";
import { launchBrowser, withoutBrowser } from "./support/browser.js";
import { CHAIN, CHAIN_QUESTION, DEMO_QUESTION, demoPassages, indexOf } from "./support/corpus.js";
import { HOSTILE, HOSTILE_QUESTION } from "./support/hostile.js";

const browserTest = test.skipIf(withoutBrowser);
const folder = mkdtempSync(join(tmpdir(), "trigraph-explorer-"));
let launched: Promise<Browser> | undefined;
afterAll(async () => {
  await (await launched)?.close();
  rmSync(folder, { recursive: true, force: true });
});

const demo = await indexOf(demoPassages());
const fused = { methods: ["fused", "words"] } as const;
const small = await explore(await indexOf(CHAIN), CHAIN_QUESTION, { k: 2 });
const few = await explore(demo, DEMO_QUESTION, { k: 6, ...fused });
const middle = await explore(demo, DEMO_QUESTION, { k: 30, ...fused });
const large = await explore(demo, DEMO_QUESTION, { k: 440, ...fused });

function nodeCount({ seeds, sentences, bridges, carriers, passages }: Exploration): number {
  return [seeds, sentences, bridges, carriers, passages].reduce((sum, { length }) => sum + length, 1);
}

/** A page that is open, and what it did that it should not. */
interface Opened {
  readonly page: Page;
  /** Requests, errors and what it wrote to the console. */
  readonly complaints: string[];
}

let written = 0;

/** Opens an exploration, gives the page to the test, and sees that it asked for nothing and complained of nothing. */
async function withPage(view: Exploration, options: BrowserContextOptions, use: (opened: Opened) => Promise<void>) {
  launched ??= launchBrowser();
  const file = pathToFileURL(join(folder, `${written++}.html`));
  writeFileSync(file, toHtml(view));
  const context = await (await launched).newContext({ viewport: { width: 1400, height: 900 }, ...options });
  try {
    const page = await context.newPage();
    // Sooner than the test's own end, so that a failure says where.
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (request.url() !== file.href) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(file.href);
    await use({ page, complaints });
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const nodes = (page: Page) => page.locator("#canvas g.node");
const node = (page: Page, id: string) => page.locator(`#canvas [data-node="${id}"]`);
const shownArticles = (page: Page) => page.locator("article:visible");

async function showAll(page: Page): Promise<void> {
  const slider = page.getByRole("slider");
  await slider.focus();
  await slider.press("End");
}

async function idsOf(found: Locator): Promise<string[]> {
  return (await found.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.node!))).sort();
}

describe("the graph", () => {
  browserTest.each([
    ["5", small, 4, 9],
    ["50", middle, 40, 65],
    ["500", large, 450, 560],
  ])("draws some %s nodes, the best passages' first", async (_name, view, least, most) => {
    const count = nodeCount(view);
    expect(count).toBeGreaterThanOrEqual(least);
    expect(count).toBeLessThanOrEqual(most);
    await withPage(view, {}, async ({ page }) => {
      const first = await nodes(page).count();
      expect(first).toBeGreaterThan(2);
      expect(first).toBeLessThanOrEqual(Math.min(count, 60));
      await showAll(page);
      expect(await nodes(page).count()).toBe(count);
    });
  });

  browserTest("opens what is clicked: its text with entities marked, and its scores", async () => {
    await withPage(middle, {}, async ({ page }) => {
      const { id, text, stages, mentions } = middle.passages[1];
      await node(page, id).click();
      expect(await shownArticles(page).count()).toBe(1);
      const article = page.locator(`#${id}`);
      expect((await article.locator(".text").textContent())!.trim()).toBe(text.trim());
      expect((await article.locator(".text mark").allTextContents()).join("|")).toBe(
        mentions.map(({ start, end }) => text.slice(start, end)).join("|"),
      );
      const scores = await article.locator("table.facts").first().innerText();
      expect(scores).toContain(stages.fusion!.probability.toPrecision(3));
      expect(await node(page, id).getAttribute("aria-pressed")).toBe("true");

      const { id: sentence, text: said } = middle.sentences[0];
      await node(page, sentence).click();
      expect(await shownArticles(page).getAttribute("id")).toBe(sentence);
      expect(await shownArticles(page).locator(".text").textContent()).toBe(said);
      expect(await page.locator("#status").textContent()).toContain("Opened under Details: Sentence");
    });
  });

  browserTest("follows the paths through what the pointer is on", async () => {
    await withPage(middle, {}, async ({ page }) => {
      await page.getByRole("button", { name: "Fit" }).click();
      const { id } = middle.bridges[0];
      const drawn = new Set(await idsOf(nodes(page)));
      await node(page, id).hover();
      const paths = middle.passages.filter(({ path }) => path.includes(id) && path.every((each) => drawn.has(each)));
      expect(await idsOf(page.locator(".node.looked"))).toEqual([...new Set(paths.flatMap(({ path }) => path))].sort());
      await page.getByRole("heading", { level: 1 }).hover();
      expect(await page.locator(".looked").count()).toBe(0);
      await page.locator(`tr[data-node="passage-1"]`).hover();
      expect(await idsOf(page.locator(".node.looked"))).toEqual([...middle.passages[0].path].sort());
    });
  });

  browserTest("lets a node be dragged, which opens nothing, and arranged again", async () => {
    await withPage(small, {}, async ({ page }) => {
      const moved = node(page, "passage-2");
      const before = await moved.getAttribute("transform");
      const box = (await moved.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2 + 40, { steps: 4 });
      await page.mouse.up();
      expect(await moved.getAttribute("transform")).not.toBe(before);
      expect((await moved.boundingBox())!.y - box.y).toBeCloseTo(40, 0);
      expect(await shownArticles(page).getAttribute("id")).toBe("passage-1");
      await page.getByRole("button", { name: "Arrange" }).click();
      expect(await moved.getAttribute("transform")).toBe(before);
    });
  });

  browserTest("grows when a link leads to what it does not show", async () => {
    await withPage(large, {}, async ({ page }) => {
      const { id } = large.passages[60];
      expect(await node(page, id).count()).toBe(0);
      await page.locator(`tr[data-node="${id}"] a`).click();
      expect(await node(page, id).count()).toBe(1);
      expect(await page.locator("#shown-count").textContent()).toBe(`61 of ${large.passages.length}`);
      expect(await page.evaluate(() => document.activeElement!.id)).toBe(id);
    });
  });
});

describe("the keyboard", () => {
  browserTest("walks along a path and within a column, opens and closes", async () => {
    await withPage(few, {}, async ({ page }) => {
      const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.node);
      await page.getByRole("button", { name: "Arrange" }).focus();
      await page.keyboard.press("Tab");
      expect(await focused()).toBe("passage-1");
      await page.keyboard.press("Home");
      expect(await focused()).toBe("question");
      const { path } = few.passages[0];
      for (const id of path.slice(1)) {
        await page.keyboard.press("ArrowRight");
        expect(await focused()).toBe(id);
      }
      await page.keyboard.press("ArrowRight");
      expect(await focused()).toBe(path.at(-1));
      await page.keyboard.press("ArrowLeft");
      expect(await focused()).toBe(path.at(-2));
      await page.keyboard.press("End");
      expect(await focused()).toBe("passage-1");

      const seen = new Set(["passage-1"]);
      for (const key of ["ArrowUp", "ArrowDown"]) {
        for (let before = ""; before !== (await focused());) {
          before = (await focused())!;
          await page.keyboard.press(key);
          seen.add((await focused())!);
        }
      }
      expect([...seen].sort()).toEqual(await idsOf(page.locator(".node.passage")));

      const id = (await focused())!;
      const ring = () =>
        node(page, id)
          .locator("rect")
          .evaluate((rect) => getComputedStyle(rect).strokeWidth);
      expect(await ring()).toBe("5px");
      await page.keyboard.press("Enter");
      expect(await shownArticles(page).getAttribute("id")).toBe(id);
      await page.keyboard.press("Escape");
      expect(await shownArticles(page).count()).toBe(0);
      expect(await focused()).toBe(id);
      // One stop for all nodes.
      await page.keyboard.press("Tab");
      expect(await focused()).toBeUndefined();
    });
  });
});

describe("screen readers", () => {
  browserTest.each(["light", "dark"] as const)("find no fault of axe's, %s", async (colorScheme) => {
    // Axe is brought in from outside, which the page's own policy would refuse.
    await withPage(few, { bypassCSP: true, colorScheme }, async ({ page }) => {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: Pick<typeof import("axe-core"), "run"> };
        // A label that is cut ends in an ellipsis, which the name, having all of it, does not.
        return axe.run({ rules: { "label-content-name-mismatch": { enabled: false } } });
      });
      expect(violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes).slice(0, 400)}`)).toEqual([]);
    });
  });

  browserTest("hear every node's kind and text, and read the paths as text", async () => {
    await withPage(small, {}, async ({ page }) => {
      const graph = page.getByRole("application");
      expect(await graph.getByRole("button", { name: `Question: ${CHAIN_QUESTION}` }).count()).toBe(1);
      expect(await graph.getByRole("button", { name: "Passage: 1. The Silent Harbour" }).count()).toBe(1);
      const outline = page.getByRole("region", { name: "Paths as text" });
      for (const [i, { path }] of small.passages.entries()) {
        const steps = outline.getByRole("list", { name: "Path" }).nth(i).getByRole("link");
        expect(await steps.evaluateAll((all) => all.map((each) => each.getAttribute("href")!.slice(1)))).toEqual(path);
      }
    });
  });
});

describe("the page", () => {
  browserTest.each(["light", "dark"] as const)("has contrast enough in the graph, %s", async (colorScheme) => {
    await withPage(middle, { colorScheme }, async ({ page }) => {
      await page.mouse.move(0, 0);
      const colours = await nodes(page).evaluateAll((all) =>
        all.map((each) => ({
          kind: each.classList[1],
          ground: getComputedStyle(each.querySelector("rect")!).fill,
          text: getComputedStyle(each.querySelector("text")!).fill,
        })),
      );
      const page_ = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(luminance(page_) < 0.2).toBe(colorScheme === "dark");
      expect(new Set(colours.map(({ kind }) => kind)).size).toBe(6);
      for (const { kind, ground, text } of colours) {
        expect(contrast(ground, text), `${kind}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    });
  });

  browserTest("shows hostile text as it is, and runs none of it", async () => {
    const view = await explore(await indexOf(HOSTILE), HOSTILE_QUESTION, { k: 3 });
    await withPage(view, {}, async ({ page }) => {
      expect(await page.evaluate(() => "hacked" in window)).toBe(false);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain(visible(HOSTILE_QUESTION));
      for (const { id, text } of view.passages) {
        await node(page, id).click();
        expect(await page.locator(`#${id} .text`).textContent()).toBe(visible(text));
      }
      expect(await page.locator("img, iframe, link, object").count()).toBe(0);
    });
  });

  browserTest("fits 400 pixels, in which nothing but tables scrolls sideways", async () => {
    await withPage(middle, { viewport: { width: 400, height: 800 } }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
      const { id } = middle.passages[0];
      await node(page, id).click();
      expect(await shownArticles(page).getAttribute("id")).toBe(id);
    });
  });

  browserTest("moves nothing for who wants no motion", async () => {
    const duration = (page: Page) =>
      nodes(page)
        .first()
        .evaluate((each) => getComputedStyle(each).transitionDuration);
    await withPage(small, { reducedMotion: "reduce" }, async ({ page }) => expect(await duration(page)).toBe("0s"));
    await withPage(small, {}, async ({ page }) => expect(await duration(page)).not.toBe("0s"));
  });

  browserTest("prints every article, and no controls", async () => {
    await withPage(small, {}, async ({ page }) => {
      expect(await shownArticles(page).count()).toBe(1);
      await page.emulateMedia({ media: "print" });
      expect(await shownArticles(page).count()).toBe(await page.locator("article").count());
      expect(await page.locator("#controls").isVisible()).toBe(false);
    });
  });

  browserTest("without scripts has all but the graph", async () => {
    await withPage(small, { javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.getByText("The graph needs scripts").isVisible()).toBe(true);
      expect(await page.locator("#controls").isVisible()).toBe(false);
      expect(await shownArticles(page).count()).toBeGreaterThan(nodeCount(small) - 1);
    });
  });

  browserTest("says so when nothing was found", async () => {
    await withPage(await explore(demo, DEMO_QUESTION, { filter: () => false }), {}, async ({ page }) => {
      expect(await page.getByText("The question found no passage").isVisible()).toBe(true);
      expect(await page.locator("#canvas").isVisible()).toBe(false);
    });
  });
});

/** Relative luminance of "rgb(r, g, b)" (WCAG 2.2). */
function luminance(colour: string): number {
  const [r, g, b] = colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
