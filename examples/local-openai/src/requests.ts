/** What requests must look like: the part of OpenAI's API that this server answers. */
import { z } from "zod";

/** A request as it arrived. */
export interface RecordedRequest {
  /** `/v1/chat/completions` or `/v1/embeddings`. */
  readonly path: string;
  /** The parsed JSON, whatever it is. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into it without ceremony
  readonly body: any;
  /** The texts of all messages, or of all inputs to embed, joined by line breaks. */
  readonly text: string;
}

const TextPart = z.looseObject({ type: z.literal("text"), text: z.string() });

const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z
    .union([z.string(), z.array(TextPart)])
    .nullish()
    .transform((content) => (Array.isArray(content) ? content.map(({ text }) => text).join("\n") : (content ?? ""))),
});
export type Message = z.infer<typeof Message>;

const Tool = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({
    name: z.string(),
    parameters: z.looseObject({ properties: z.record(z.string(), z.looseObject({})).optional() }).optional(),
  }),
});
export type Tool = z.infer<typeof Tool>;

export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(Tool).optional(),
  tool_choice: z
    .union([z.enum(["none", "auto", "required"]), z.looseObject({ function: z.looseObject({ name: z.string() }) })])
    .optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export const EmbeddingsRequest = z.looseObject({
  model: z.string(),
  // OpenAI refuses empty inputs as well.
  input: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .transform((input) => (typeof input === "string" ? [input] : input)),
  encoding_format: z.enum(["float", "base64"]).default("float"),
  dimensions: z.int().positive().optional(),
});
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

/** What of the body is text; empty for a body that is no request. */
export function textOf(body: unknown): string {
  const chat = ChatRequest.pick({ messages: true }).safeParse(body);
  if (chat.success) return chat.data.messages.map(({ content }) => content).join("\n");
  const embeddings = EmbeddingsRequest.pick({ input: true }).safeParse(body);
  return embeddings.success ? embeddings.data.input.join("\n") : "";
}
