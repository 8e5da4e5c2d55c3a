import type { Embedder } from "@trigraph/core";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChatModel } from "../answers/chat.js";
import { EvaluationError, messageOf } from "../errors.js";

/**
 * The embedder that a module exports as its default, or that its default export makes.
 *
 * @throws EvaluationError `DATA` when it does not load, or exports something else
 */
export function loadEmbedder(file: string): Promise<Embedder> {
  return loadDefault<Embedder>(file, "an embedder", {
    id: "string",
    dimensions: "number",
    embedPassages: "function",
    embedQuery: "function",
  });
}

/** The chat model that a module exports as its default, or that its default export makes; errors as above. */
export function loadChatModel(file: string): Promise<ChatModel> {
  return loadDefault<ChatModel>(file, "a chat model", { id: "string", complete: "function" });
}

async function loadDefault<T>(file: string, what: string, members: Readonly<Record<string, string>>): Promise<T> {
  let found: unknown;
  try {
    const { default: exported } = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
    found = typeof exported === "function" ? await (exported as () => unknown)() : exported;
  } catch (error) {
    throw new EvaluationError("DATA", `${file}: does not load: ${messageOf(error)}.`, { cause: error });
  }
  const wrong = Object.entries(members).find(([name, type]) => typeof memberOf(found, name) !== type);
  if (wrong === undefined) return found as T;
  const shape = `{ ${Object.keys(members).join(", ")} }`;
  throw new EvaluationError(
    "DATA",
    `${file}: expected as default export ${what} ${shape}, or a function that returns one; its ${wrong[0]} is no ${wrong[1]}.`,
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
