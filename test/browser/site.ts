import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { serveSite } from "../support/chromium.js";

const HTML = '<!doctype html><meta charset="utf-8"><title>Lab</title><script type="module" src="/page.js"></script>';

/** Without 'wasm-unsafe-eval', which is what WebAssembly needs. */
const STRICT = { "content-security-policy": "script-src 'self'" };

/** A site whose pages have the lab of `page.ts`: "/", and "/strict/" where WebAssembly is not allowed. */
export async function serveLab() {
  const script = await bundle(`import "./page.js"`);
  return serveSite((path) => {
    if (path === "/page.js") return { type: "text/javascript", body: script };
    if (path === "/index.html") return { type: "text/html", body: HTML };
    if (path === "/strict/index.html") return { type: "text/html", body: HTML, headers: STRICT };
    return undefined;
  });
}

export async function openLab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Minified bytes and compressed bytes of what a browser loads to run this. */
export async function bundleSize(contents: string, leftOut: readonly string[] = []) {
  const bytes = await bundle(contents, leftOut);
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
}

/** @param resolveDir the folder by which its imports are found */
export async function bundle(
  contents: string,
  external: readonly string[] = [],
  resolveDir = import.meta.dirname,
): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: "ts" },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    write: false,
    external: [...external],
    logLevel: "silent",
  });
  return outputFiles[0].contents;
}
