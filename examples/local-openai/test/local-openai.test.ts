// The server as OpenAI's own client sees it.
import OpenAI, { APIConnectionTimeoutError, InternalServerError, RateLimitError } from "openai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startLocalOpenAi, type LocalOpenAi, type LocalOpenAiOptions } from "../src/index.js";

let server: LocalOpenAi;
let client: OpenAI;

async function start(options?: LocalOpenAiOptions): Promise<void> {
  server = await startLocalOpenAi(options);
  client = new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0, timeout: 2000 });
}

beforeEach(() => start());
afterEach(() => server.close());

const CONTEXT = `[1] The Silent Harbour is a film by Ada Lindqvist. It was shot in Gothenburg.

[2] Greta Holm was a painter. The town hall of Uppsala shows her landscapes.`;

const asking = (question: string) => ({
  model: "local-chat",
  messages: [
    { role: "system" as const, content: `Answer from the passages.\n\n${CONTEXT}` },
    { role: "user" as const, content: question },
  ],
});

const contentOf = (completion: OpenAI.ChatCompletion) => completion.choices[0].message.content;

test("an answer is sentences of the prompt with their passages' marks, and says what it is", async () => {
  const completion = await client.chat.completions.create(asking("Where are the landscapes of Greta Holm?"));
  expect(contentOf(completion)).toBe(
    "[a local test server that composes sentences of the prompt, not a language model] " +
      "Greta Holm was a painter. [2] The town hall of Uppsala shows her landscapes. [2]",
  );
  expect(completion.choices[0].finish_reason).toBe("stop");
  expect(completion.usage!.total_tokens).toBeGreaterThan(20);
});

test("the question may stand behind its context in one message", async () => {
  for (const content of [
    `${CONTEXT}\nQuestion: Where was the film shot?\nHelpful answer:`,
    `Context information is below.\n${CONTEXT}\nQuery: Where was the film shot?\nAnswer: `,
    `${CONTEXT}\n\nWhere was the film shot?`,
  ]) {
    const completion = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
    expect(contentOf(completion)).toContain("It was shot in Gothenburg. [1]");
    expect(contentOf(completion)).not.toContain("Greta Holm");
  }
});

test("the names of a sentence lead to the next one: an answer follows a chain of passages", async () => {
  const content = `[1] The Silent Harbour is a film by Ada Lindqvist.

[2] A mother is the subject of many films.

[3] Ada Lindqvist was a daughter of Greta Holm.

[4] Rye bread is baked of rye flour.

Who is the mother of the director of The Silent Harbour?`;
  const completion = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
  expect(contentOf(completion)).toContain("by Ada Lindqvist. [1] ");
  expect(contentOf(completion)).toContain("Ada Lindqvist was a daughter of Greta Holm. [3]");
  expect(contentOf(completion)).not.toContain("[4]");
});

test("without a sentence that fits it says so", async () => {
  expect(contentOf(await client.chat.completions.create(asking("Xyzzy?")))).toContain("No sentence of the prompt");
});

test("a streamed answer is the same, word by word", async () => {
  const request = asking("Where was the film shot?");
  const whole = contentOf(await client.chat.completions.create(request));
  const stream = await client.chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    pieces.push(chunk.choices[0]?.delta.content ?? "");
    usage = chunk.usage ?? usage;
  }
  expect(pieces.join("")).toBe(whole);
  expect(pieces.filter((piece) => piece !== "").length).toBeGreaterThan(10);
  expect(usage!.completion_tokens).toBeGreaterThan(0);
});

const TOOLS: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "search",
      parameters: { type: "object", properties: { k: { type: "integer" }, query: { type: "string" } } },
    },
  },
];

test("an offered tool is called with the question; its result is the context of the answer", async () => {
  const request = asking("Where was the film shot?");
  const first = await client.chat.completions.create({ ...request, tools: TOOLS });
  const { message, finish_reason } = first.choices[0];
  expect(finish_reason).toBe("tool_calls");
  const call = message.tool_calls![0] as OpenAI.ChatCompletionMessageFunctionToolCall;
  expect(call.function.name).toBe("search");
  expect(JSON.parse(call.function.arguments)).toEqual({ query: "Where was the film shot?" });

  const second = await client.chat.completions.create({
    model: "m",
    tools: TOOLS,
    messages: [
      { role: "user", content: "Where was the film shot?" },
      message,
      { role: "tool", tool_call_id: call.id, content: CONTEXT },
    ],
  });
  expect(contentOf(second)).toContain("It was shot in Gothenburg.");
});

test("a streamed tool call arrives whole", async () => {
  const stream = client.chat.completions.stream({ ...asking("Where?"), tools: TOOLS });
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0].message.tool_calls![0]).toMatchObject({
    function: { name: "search", arguments: '{"query":"Where?"}' },
  });
});

test("answers says what to reply, as text and as the arguments of a forced tool", async () => {
  await server.close();
  await start({ answers: ({ text }) => (text.includes("Where") ? '{"query":"elsewhere"}' : undefined) });
  const request = { ...asking("Where?"), response_format: { type: "json_object" as const } };
  expect(contentOf(await client.chat.completions.create(request))).toBe('{"query":"elsewhere"}');

  const tool_choice = { type: "function" as const, function: { name: "search" } };
  const forced = await client.chat.completions.create({ ...asking("Where?"), tools: TOOLS, tool_choice });
  expect(forced.choices[0].message.tool_calls![0]).toMatchObject({ function: { arguments: '{"query":"elsewhere"}' } });

  const other = { ...request, messages: [{ role: "user" as const, content: "JSON, please" }] };
  await expect(client.chat.completions.create(other)).rejects.toThrow(/400 .*answers/);
});

test("embeddings are unit vectors, alike in both encodings, nearer the more words are shared", async () => {
  const input = ["The Silent Harbour", "a silent harbour", "landscapes of Uppsala", "?!"];
  const read = async (encoding_format: "float" | "base64" | undefined) =>
    (await client.embeddings.create({ model: "m", input, ...(encoding_format && { encoding_format }) })).data;
  const floats = (await read("float")).map(({ embedding }) => embedding);
  // Without a format the client asks for base64 and decodes it.
  expect((await read(undefined)).map(({ embedding }) => embedding)).toEqual(floats);
  expect(server.requests.map(({ body }) => (body as { encoding_format: string }).encoding_format)).toEqual([
    "float",
    "base64",
  ]);
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  for (const vector of floats) {
    expect(vector).toHaveLength(256);
    expect(dot(vector, vector)).toBeCloseTo(1, 5);
  }
  expect(dot(floats[0], floats[1])).toBeGreaterThan(0.6);
  expect(Math.abs(dot(floats[0], floats[2]))).toBeLessThan(0.4);
  const short = await client.embeddings.create({ model: "m", input: "x", dimensions: 3 });
  expect(short.data[0].embedding).toHaveLength(3);
});

test("requests are recorded with their texts, in order", async () => {
  await client.embeddings.create({ model: "m", input: ["one", "two"] });
  await client.chat.completions.create(asking("Where?"));
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/embeddings", "/v1/chat/completions"]);
  expect(server.requests[0].text).toBe("one\ntwo");
  expect(server.requests[1].text).toBe(`Answer from the passages.\n\n${CONTEXT}\nWhere?`);
});

test("requests fail as told, then no more", async () => {
  server.failNext({ status: 429, retryAfter: 7 });
  server.failNext({ status: 500 }, 2);
  const attempt = () => client.chat.completions.create(asking("Where?"));
  const limited = await attempt().catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(RateLimitError);
  expect((limited as RateLimitError).headers.get("retry-after")).toBe("7");
  await expect(attempt()).rejects.toThrow(InternalServerError);
  await expect(attempt()).rejects.toThrow(InternalServerError);
  await expect(attempt()).resolves.toBeDefined();
  expect(server.requests).toHaveLength(4);
});

test("a request is never answered when told so", async () => {
  server.failNext({ timeout: true });
  const waiting = client.chat.completions.create(asking("Where?"), { timeout: 200 });
  await expect(waiting).rejects.toThrow(APIConnectionTimeoutError);
});

test("a connection breaks in the midst of an answer when told so", async () => {
  server.failNext({ cut: true }, 2);
  await expect(client.chat.completions.create(asking("Where?"))).rejects.toThrow();
  const stream = await client.chat.completions.create({ ...asking("Where?"), stream: true });
  const pieces: (string | null | undefined)[] = [];
  const reading = (async () => {
    for await (const chunk of stream) pieces.push(chunk.choices[0].delta.content);
  })();
  await expect(reading).rejects.toThrow();
  expect(pieces).toEqual(["The "]);
});

test("bad requests, unknown models and unknown paths are told apart", async () => {
  await expect(client.chat.completions.create({ model: "m", messages: [] })).rejects.toThrow(/400 .*messages/s);
  await expect(client.embeddings.create({ model: "m", input: "" })).rejects.toThrow(/400 .*input/s);
  await expect(client.moderations.create({ input: "x" })).rejects.toThrow(/404/);
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(["local-chat", "local-embedding"]);
});

test("closing ends requests that are not answered, and may be repeated", async () => {
  server.failNext({ timeout: true });
  const waiting = client.chat.completions.create(asking("Where?"));
  const failed = expect(waiting).rejects.toThrow("Connection error");
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await server.close();
  await failed;
  await server.close();
});
