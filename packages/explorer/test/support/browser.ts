import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** What Chromium is called on Linux; elsewhere `CHROMIUM` names it. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The Chromium that `CHROMIUM` names, or the first on the path; undefined without one. */
function findBrowser(): string | undefined {
  if (process.env.CHROMIUM !== undefined) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram);
}

/** Whether tests that need a browser are skipped: where there is none, unless all must run (`TRIGRAPH_REQUIRE_ALL=1`). */
export const withoutBrowser = findBrowser() === undefined && process.env.TRIGRAPH_REQUIRE_ALL !== "1";

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    throw new Error("TRIGRAPH_REQUIRE_ALL=1, but there is no Chromium. Install it, or name it with CHROMIUM.");
  }
  // In a container there may be no user for its sandbox; the pages are our own.
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
