import { once } from "node:events";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { apiError } from "./errors.js";

/**
 * How a request fails: with a status (and a `Retry-After` header, in seconds), by never being answered, or by a
 * connection that breaks after the first bytes of a good answer.
 */
export type Failure = { status: 429 | 500; retryAfter?: number } | { timeout: true } | { cut: true };

/** The head and the first bytes of an answer that never comes to its end, as JSON and as an event stream. */
const BEGINNINGS = {
  json: { type: "application/json", text: '{"id":"cut","object":"' },
  stream: {
    type: "text/event-stream",
    text: 'data: {"id":"cut","object":"chat.completion.chunk","created":0,"model":"cut","choices":[{"index":0,"delta":{"role":"assistant","content":"The "},"finish_reason":null}]}\n\n',
  },
};

export async function fail(
  context: Context<{ Bindings: HttpBindings }>,
  failure: Failure,
  isStream: boolean,
): Promise<Response> {
  if ("status" in failure) {
    const { status, retryAfter } = failure;
    if (retryAfter !== undefined) context.header("retry-after", String(retryAfter));
    const type = status === 429 ? "rate_limit_exceeded" : "server_error";
    return apiError(context, status, `This request was told to fail with ${status}.`, type);
  }
  const { outgoing } = context.env;
  if ("cut" in failure) {
    const { type, text } = isStream ? BEGINNINGS.stream : BEGINNINGS.json;
    outgoing.writeHead(200, { "content-type": type });
    // Destroyed only when the bytes are out: otherwise nothing arrives, which is another failure.
    await new Promise((resolve) => outgoing.write(text, resolve));
    outgoing.destroy();
  } else {
    await once(outgoing, "close");
  }
  return RESPONSE_ALREADY_SENT;
}
