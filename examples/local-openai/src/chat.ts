/** `POST /v1/chat/completions`: which reply a request gets, and its two forms, whole and streamed. */
import { randomUUID } from "node:crypto";
import { compose, lastUserMessage } from "./compose.js";
import type { ChatRequest, Message, Tool } from "./requests.js";
import { wordsOf } from "./words.js";

/** What the assistant says: text, or the call of a tool. */
export type Reply = { readonly content: string } | { readonly call: { readonly name: string; readonly args: string } };

export class UnanswerableError extends Error {}

/**
 * The answer the test gave if there is one; a call of the first tool while no tool has answered; sentences of the
 * prompt otherwise.
 *
 * @param given what `answers` said: the content, or the arguments of the function that `tool_choice` forces
 * @throws UnanswerableError when the request wants JSON or forced arguments, and nothing is given
 */
export function reply({ messages, tools = [], tool_choice, response_format }: ChatRequest, given?: string): Reply {
  const forced = typeof tool_choice === "object" ? tool_choice.function.name : undefined;
  if (given !== undefined) return forced === undefined ? { content: given } : { call: { name: forced, args: given } };
  if (response_format !== undefined && response_format.type !== "text") {
    throw new UnanswerableError(
      "This server composes sentences, not JSON. Start it with `answers` to say what to reply.",
    );
  }
  const tool = forced === undefined ? tools[0] : tools.find((each) => each.function.name === forced);
  const isAnswered = messages.some(({ role }) => role === "tool");
  if (tool === undefined || tool_choice === "none" || isAnswered) return { content: compose(messages) };
  return { call: { name: tool.function.name, args: JSON.stringify(argumentsFor(tool, messages)) } };
}

/** The last user message as the tool's first parameter of type string. */
function argumentsFor(tool: Tool, messages: readonly Message[]): Record<string, string> {
  const properties = Object.entries(tool.function.parameters?.properties ?? {});
  const parameter = properties.find(([, schema]) => schema.type === "string");
  if (parameter === undefined) {
    throw new UnanswerableError(`The tool ${tool.function.name} has no string parameter for the question.`);
  }
  return Object.fromEntries([[parameter[0], lastUserMessage(messages).content]]);
}

export function completion(request: ChatRequest, said: Reply) {
  const message =
    "content" in said
      ? { role: "assistant", content: said.content, refusal: null }
      : { role: "assistant", content: null, refusal: null, tool_calls: [toolCall(said.call)] };
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: now(),
    model: request.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(said) }],
    usage: usage(request, said),
  };
}

/** The data of the events of a streamed reply: a chunk a word, then why it ended, what it cost if asked, and `[DONE]`. */
export function* completionEvents(request: ChatRequest, said: Reply): Generator<string> {
  const head = {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion.chunk",
    created: now(),
    model: request.model,
  };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });

  yield chunk({ role: "assistant", content: "content" in said ? "" : null });
  if ("content" in said) for (const piece of pieces(said.content)) yield chunk({ content: piece });
  else yield chunk({ tool_calls: [{ index: 0, ...toolCall(said.call) }] });
  yield chunk({}, finishReason(said));
  if (request.stream_options?.include_usage === true) {
    yield JSON.stringify({ ...head, choices: [], usage: usage(request, said) });
  }
  yield "[DONE]";
}

/** The text cut after each run of spaces. */
function pieces(text: string): string[] {
  return text.split(/(?<=\s)(?=\S)/);
}

function toolCall({ name, args }: { name: string; args: string }) {
  return { id: `call_${randomUUID()}`, type: "function", function: { name, arguments: args } };
}

function finishReason(said: Reply): string {
  return "content" in said ? "stop" : "tool_calls";
}

/** Words stand in for tokens. */
function usage({ messages }: ChatRequest, said: Reply) {
  const prompt_tokens = messages.reduce((sum, { content }) => sum + wordsOf(content).length, 0);
  const completion_tokens = wordsOf("content" in said ? said.content : said.call.args).length;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
