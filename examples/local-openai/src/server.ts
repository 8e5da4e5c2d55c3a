import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { completion, completionEvents, reply, UnanswerableError } from "./chat.js";
import { embeddings } from "./embeddings.js";
import { apiError } from "./errors.js";
import { fail, type Failure } from "./failures.js";
import { ChatRequest, EmbeddingsRequest, type RecordedRequest, textOf } from "./requests.js";

export interface LocalOpenAiOptions {
  /** Length of the vectors of requests that name none. Default 256. */
  readonly embeddingDimensions?: number;
  /** Default 0: a free one. */
  readonly port?: number;
  /**
   * Says what to reply to a chat request; undefined leaves it to the server. The text is the message, or the
   * arguments (JSON) of the function that the request's `tool_choice` forces.
   */
  readonly answers?: (request: RecordedRequest) => string | undefined;
}

/** A running server. */
export interface LocalOpenAi {
  /** What clients take as their base URL: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** All POST requests since the start, failed ones included, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Makes the next requests fail, `times` of them (default 1), after those that are to fail already. */
  failNext(failure: Failure, times?: number): void;
  /** Ends the server and every connection to it. */
  close(): Promise<void>;
}

type ServerContext = Context<{ Bindings: HttpBindings }>;

/** Starts an OpenAI-compatible server on 127.0.0.1. Equal requests get equal answers, but for ids and times. */
export async function startLocalOpenAi({
  embeddingDimensions = 256,
  port = 0,
  answers = () => undefined,
}: LocalOpenAiOptions = {}): Promise<LocalOpenAi> {
  const requests: RecordedRequest[] = [];
  const failures: Failure[] = [];
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.get("/v1/models", (context) =>
    context.json({
      object: "list",
      data: ["local-chat", "local-embedding"].map((id) => ({ id, object: "model", created: 0, owned_by: "local" })),
    }),
  );

  /** A POST route: recorded, failed if its turn has come, checked, answered. */
  function post<T>(
    path: string,
    schema: z.ZodType<T>,
    answer: (context: ServerContext, body: T, recorded: RecordedRequest) => Response,
  ): void {
    app.post(path, async (context) => {
      const body: unknown = await context.req.json().catch(() => undefined);
      const recorded = { path, body, text: textOf(body) };
      requests.push(recorded);
      const failure = failures.shift();
      if (failure !== undefined) return fail(context, failure, isStreamed(body));
      const read = schema.safeParse(body);
      if (!read.success) return apiError(context, 400, z.prettifyError(read.error), "invalid_request_error");
      return answer(context, read.data, recorded);
    });
  }

  post("/v1/chat/completions", ChatRequest, (context, body, recorded) => {
    const said = reply(body, answers(recorded));
    if (body.stream !== true) return context.json(completion(body, said));
    return streamSSE(context, async (stream) => {
      for (const data of completionEvents(body, said)) await stream.writeSSE({ data });
    });
  });

  post("/v1/embeddings", EmbeddingsRequest, (context, body) => context.json(embeddings(body, embeddingDimensions)));

  app.notFound((context) => apiError(context, 404, `There is no ${context.req.path} here.`, "not_found_error"));
  app.onError((error, context) => {
    if (error instanceof UnanswerableError) return apiError(context, 400, error.message, "invalid_request_error");
    return apiError(context, 500, error.message, "server_error");
  });

  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    failNext(failure, times = 1) {
      for (let i = 0; i < times; i++) failures.push(failure);
    },
    close: () => closeServer(server),
  };
}

function isStreamed(body: unknown): boolean {
  return typeof body === "object" && body !== null && (body as { stream?: unknown }).stream === true;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // Requests that are never answered would keep it open.
  server.closeAllConnections();
  await closed;
}
