// Uses the built page as its user would, in headless Chromium.
import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchChromium, serveSite, withoutChromium } from "../../../test/support/chromium.js";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".jsonl": "application/jsonl",
};

const NOTES = `# The Silent Harbour

The Silent Harbour is a 1962 drama film directed by Ada Lindqvist.

## Reception

It won no prize. <img src=x onerror="document.title='markup'">
`;
const PEOPLE = "Ada Lindqvist was a Swedish director. Her mother was the painter Karin Holm.";

/** Vite's hashed files, by the page's relative paths. */
function readDist(path: string) {
  const file = join(DIST, path);
  const type = TYPES[extname(path)];
  return type !== undefined && existsSync(file) ? { type, body: readFileSync(file) } : undefined;
}

describe.skipIf(withoutChromium)("the page in Chromium", () => {
  let site: Awaited<ReturnType<typeof serveSite>>;
  let browser: BrowserContext;
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    site = await serveSite(readDist);
    browser = await launchChromium();
    browser.setDefaultTimeout(50_000);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  beforeEach(async () => {
    problems = [];
    page = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(site.url);
  });

  afterEach(async () => {
    await page.evaluate(() => indexedDB.deleteDatabase("trigraph-example"));
    await page.close();
    expect(problems).toEqual([]);
  });

  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const ask = async (question: string) => {
    await page.getByLabel("What do you want to know?").fill(question);
    await page.keyboard.press("Enter");
    await page.getByText(/best passages?:|No passages/).waitFor();
  };

  it("answers about one's own files, with the sentence and the path, and still has them after a reload", async () => {
    await page.getByText("No texts yet.").waitFor();
    await page
      .getByLabel("Add text or Markdown files")
      .setInputFiles([file("film.md", NOTES), file("people.txt", PEOPLE)]);
    await page.getByText("3 passages, kept in this browser.").waitFor();
    await page.reload();
    await page.getByText("3 passages, kept in this browser.").waitFor();
    await ask("Who is the mother of the director of The Silent Harbour?");
    const people = page.getByRole("article").filter({ hasText: "Karin Holm" });
    expect(await people.locator("mark").textContent()).toBe("Ada Lindqvist was a Swedish director.");
    expect(await people.getByLabel("How it was found").getByRole("listitem").allTextContents()).toEqual(
      expect.arrayContaining(["question", "Ada Lindqvist"]),
    );
    expect(await page.title()).not.toBe("markup");

    // A file that is added again takes the place of what it held.
    await page.getByLabel("Add text or Markdown files").setInputFiles([file("film.md", "Nothing but this.")]);
    await page.getByText("2 passages, kept in this browser.").waitFor();
    await page.getByRole("button", { name: "Forget everything" }).click();
    await page.getByText("No texts yet.").waitFor();
  });

  it("takes dropped files, and says which it cannot read", async () => {
    await page.getByText("No texts yet.").waitFor();
    const drop = (name: string) =>
      page.evaluate((name) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["Karin Holm painted."], name));
        document.querySelector("#drop")!.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
      }, name);
    await drop("photo.jpg");
    expect(await page.getByRole("alert").textContent()).toBe("None of these is a .txt or .md file.");
    await drop("karin.txt");
    await page.getByText("1 passage, kept in this browser.").waitFor();
    await page.getByRole("button", { name: "Forget everything" }).click();
    await page.getByText("No texts yet.").waitFor();
  });

  it("says which tab has the index open", async () => {
    await page.getByText("No texts yet.").waitFor();
    const second = await browser.newPage();
    await second.goto(site.url);
    await second.getByText(/^open: the page or worker .*library.*perhaps in another tab/).waitFor();
    await second.close();
  });

  it.each([
    ["light", 400],
    ["dark", 1000],
  ] as const)("is alive while it reads the sample, and accessible: %s, %i pixels wide", async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.getByText(/No texts yet|passages, kept/).waitFor();
    await page.evaluate(() => {
      const page = Object.assign(window, { ticks: 0 });
      setInterval(() => page.ticks++, 1);
    });
    await page.getByRole("button", { name: "Add the sample" }).click();
    await page.getByText("600 passages, kept in this browser.").waitFor();
    const ticks = await page.evaluate(() => (window as unknown as { ticks: number }).ticks);
    expect(ticks).toBeGreaterThan(20);
    await page.getByRole("button", { name: "Why did John Middleton Murry's wife die?" }).click();
    await page.getByText("The 5 best passages:").waitFor();
    expect(await page.getByRole("article").count()).toBe(5);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
    });
    expect(violations).toEqual([]);
    const { TRIGRAPH_SCREENSHOTS } = process.env;
    if (TRIGRAPH_SCREENSHOTS !== undefined) {
      await page.screenshot({ path: join(TRIGRAPH_SCREENSHOTS, `${colorScheme}.png`), fullPage: true });
    }
  });
});
