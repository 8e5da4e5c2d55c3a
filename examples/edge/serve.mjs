// Serves dist/handler.mjs by workerd, the runtime of Cloudflare Workers, until it is stopped: `npm run example -- edge`.
// What follows goes to `workerd serve`, such as another address: `-- edge --socket-addr=http=localhost:9000`.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import process from "node:process";

/** Where its program is. The package is CommonJS, compiled from a default export. */
const { default: workerd } = createRequire(import.meta.url)("workerd");

const QUESTION = "Why did John Middleton Murry's wife die?";

const args = ["serve", "workerd.capnp", "--control-fd=3", ...process.argv.slice(2)];
const server = spawn(workerd, args, { cwd: import.meta.dirname, stdio: ["ignore", "inherit", "inherit", "pipe"] });
server.stdio[3].on("data", (line) => {
  const { event, port } = JSON.parse(String(line));
  if (event !== "listen") return;
  const url = new URL(`http://localhost:${port}/`);
  url.searchParams.set("q", QUESTION);
  process.stdout.write(`${url}\nOpen it, with a question of yours for q. Ctrl-C ends it.\n`);
});
server.on("close", (code) => (process.exitCode = code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.kill(signal));
