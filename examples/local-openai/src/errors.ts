import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An error as OpenAI's clients read it. */
export function apiError(context: Context, status: ContentfulStatusCode, message: string, type: string): Response {
  return context.json({ error: { message, type, param: null, code: type } }, status);
}
