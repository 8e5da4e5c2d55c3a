// A model hub in this process: whatever the name, it serves the tiny models by what they are for.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { TINY } from "./models.js";

export interface Hub {
  readonly url: string;
  /** Paths that were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Which tiny model stands for a published one. */
const STANDS_FOR: readonly (readonly [name: RegExp, tiny: string])[] = [
  [/ner/i, "entities"],
  [/marco|rerank/i, "pairs"],
  [/minilm/i, "encoder"],
];

export async function startHub(): Promise<Hub> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const [, model, , file] = /^\/(.+)\/resolve\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const tiny = STANDS_FOR.find(([name]) => name.test(model ?? ""))?.[1];
    const body = tiny === undefined ? undefined : read(join(TINY.localModelPath, tiny, file));
    response.writeHead(body === undefined ? 404 : 200, { "content-length": body?.length ?? 0 }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, requests, close: () => closeServer(server) };
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
  });
}
