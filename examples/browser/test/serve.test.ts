// Starts the example as its user does.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("npm run example -- browser tells an address, where the built page is", async () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const program = spawn(process.execPath, ["serve.mjs"], { cwd, stdio: "pipe" });
  try {
    const [printed] = (await once(program.stdout, "data", { signal: AbortSignal.timeout(20_000) })) as [Buffer];
    const [address] = String(printed).split("\n");
    const page = await (await fetch(address)).text();
    const [, script] = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)!;
    expect((await fetch(new URL(script, address))).headers.get("content-type")).toContain("javascript");
  } finally {
    program.kill();
  }
});
