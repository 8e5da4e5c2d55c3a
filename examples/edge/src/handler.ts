/**
 * A function for the edge: `GET /?q=QUESTION` answers with passages and the reason of each, as JSON. It needs nothing but
 * `Request` and `Response`, so it runs on Cloudflare Workers, Deno, Bun, Vercel's Edge and in service workers alike.
 *
 *     npm run example -- edge     # by workerd, Cloudflare's runtime
 *     curl "http://localhost:8787/?q=Why+did+John+Middleton+Murry%27s+wife+die%3F"
 */
import { MemoryDirectory, TriGraph, TriGraphError } from "@trigraph/core";
import files from "virtual:index";
import { toAnswer } from "./answer.js";

const K = 5;

/** Opened by the first request. Nothing in it waits for the network, so requests may share it. */
let opening: Promise<TriGraph> | undefined;

async function openIndex(): Promise<TriGraph> {
  const directory = new MemoryDirectory();
  for (const [name, base64] of files) {
    await directory.write(name, [Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]);
  }
  return TriGraph.open(directory, { readOnly: true });
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/") return problem(404, 'expected the path "/"');
    if (request.method !== "GET") return problem(405, "expected a GET request", { allow: "GET" });
    try {
      opening ??= openIndex();
      const index = await opening;
      const question = searchParams.get("q") ?? "";
      const hits = await index.retrieve(question, { k: K, explain: true, signal: request.signal });
      return Response.json({ question, passages: hits.map(toAnswer) });
    } catch (error) {
      // The caller's own question; whatever else happens is the platform's to report.
      if (error instanceof TriGraphError && error.code === "INVALID_ARGUMENT") return problem(400, error.message);
      throw error;
    }
  },
};

function problem(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: message }, { status, headers });
}
