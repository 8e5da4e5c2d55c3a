// Local models in a page: @trigraph/transformers over ONNX Runtime's WebAssembly, with all files from the page's own site.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosine, goldens } from "../../packages/transformers/test/support/models.js";
import { launchChromium, serveSite, withoutChromium } from "../support/chromium.js";
import { root } from "../support/workspace.js";
import { bundle } from "./site.js";

const PACKAGE = join(root, "packages", "transformers");

/** What the page loads beside its script, by the beginning of its address. */
const FOLDERS = new Map([
  ["/models/", join(PACKAGE, "test", "models", "tiny")],
  ["/wasm/", join(PACKAGE, "node_modules", "@xenova", "transformers", "dist")],
]);

const TYPES = new Map([
  ["json", "application/json"],
  ["wasm", "application/wasm"],
]);

const HTML = '<!doctype html><meta charset="utf-8"><title>Models</title><script type="module" src="/page.js"></script>';

const PAGE = `
  import { TriGraph } from "@trigraph/core";
  import { TransformersEmbedder } from "@trigraph/transformers";
  import { env } from "@xenova/transformers";

  env.backends.onnx.wasm.wasmPaths = "/wasm/";
  env.backends.onnx.wasm.numThreads = 1;
  const embedder = new TransformersEmbedder({ model: "encoder", localModelPath: "/models/", allowRemoteModels: false });

  const embed = async (texts) => (await embedder.embedPassages(texts)).map((vector) => Array.from(vector));
  const ask = async (texts, question) => {
    const index = await TriGraph.create({ embedder });
    await index.upsert(texts.map((text, i) => ({ id: String(i), text })));
    const nearest = await index.nearest(await embedder.embedQuery(question), { k: 1 });
    return nearest.map(({ passage, score }) => [passage.text, score]);
  };
  globalThis.models = { embed, ask };
`;

declare global {
  /** In the page. */
  var models: {
    embed(texts: readonly string[]): Promise<number[][]>;
    ask(texts: readonly string[], question: string): Promise<[text: string, score: number][]>;
  };
}

describe.skipIf(withoutChromium)("models in Chromium", () => {
  const texts = goldens.vectors.map(({ text }) => text);
  let site: Awaited<ReturnType<typeof serveSite>>;
  let browser: BrowserContext;

  beforeAll(async () => {
    const script = await bundle(PAGE, [], PACKAGE);
    site = await serveSite((path) => {
      if (path === "/index.html") return { type: "text/html", body: HTML };
      if (path === "/page.js") return { type: "text/javascript", body: script };
      for (const [prefix, folder] of FOLDERS) {
        const file = join(folder, path.slice(prefix.length));
        if (!path.startsWith(prefix) || !existsSync(file)) continue;
        const type = TYPES.get(file.slice(file.lastIndexOf(".") + 1)) ?? "application/octet-stream";
        return { type, body: readFileSync(file) };
      }
      return undefined;
    });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it("give the vectors that another runtime gives, and an index finds by them, with nothing from elsewhere", async () => {
    const tab = await browser.newPage();
    const elsewhere: string[] = [];
    tab.on("request", (request) => {
      if (!request.url().startsWith(site.url)) elsewhere.push(request.url());
    });
    await tab.goto(`${site.url}/`);
    await tab.waitForFunction(() => "models" in globalThis);
    const vectors = await tab.evaluate((texts) => models.embed(texts), texts);
    expect(vectors).toHaveLength(texts.length);
    vectors.forEach((vector, i) => expect(cosine(vector, goldens.vectors[i].quantized)).toBeGreaterThan(0.999));
    const nearest = await tab.evaluate(([texts, question]) => models.ask(texts, question), [texts, texts[0]] as const);
    expect(nearest).toEqual([[texts[0], expect.closeTo(1, 3) as number]]);
    expect(elsewhere).toEqual([]);
  });
});
