/** A headless Chromium for tests, and sites for it to visit. */
import { accessSync, constants } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import process from "node:process";
import { type BrowserContext, chromium } from "playwright-core";
import { mayBeSkipped } from "./required.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where programs are that the PATH need not name. */
const FOLDERS = ["/usr/bin", "/snap/bin", "/Applications/Chromium.app/Contents/MacOS"];

const executable = process.env.TRIGRAPH_CHROMIUM ?? findExecutable();

/** Tests that need Chromium are skipped by `describe.skipIf(withoutChromium)`. */
export const withoutChromium = mayBeSkipped(executable !== undefined);

/** @param profile a folder for what the browser is to keep; without, it keeps nothing */
export async function launchChromium(profile = ""): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, { executablePath: executablePath() });
}

export interface Resource {
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A site on this machine, which browsers count as secure. Its folders are served by their "index.html". */
export async function serveSite(resourceAt: (path: string) => Resource | undefined) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const resource = resourceAt(pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (resource === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": resource.type, ...resource.headers }).end(resource.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error === undefined ? resolve() : reject(error))));
}

function executablePath(): string {
  if (executable !== undefined) return executable;
  throw new Error(
    "Chromium is missing: install it (on Debian and Ubuntu `apt-get install chromium`), or set TRIGRAPH_CHROMIUM to its path",
  );
}

function findExecutable(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...FOLDERS];
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
