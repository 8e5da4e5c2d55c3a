import type { Document } from "@langchain/core/documents";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import type { TriGraphRetriever } from "./retriever.js";

/** Options of `createTriGraphTool`. */
export interface TriGraphToolOptions {
  /** What the model calls it. Default `"search_passages"`. */
  readonly name?: string | undefined;
  /** What the model reads to decide whether to call it: say what the passages are about. */
  readonly description?: string | undefined;
  /** What the model reads of the documents. Default: numbered, each with its title if it has one. */
  readonly format?: ((documents: readonly Document[]) => string) | undefined;
}

const DEFAULT_NAME = "search_passages";

const DEFAULT_DESCRIPTION =
  "Finds the passages that answer a question, also where the answer takes several steps from one passage to another. " +
  "Ask the whole question, with the names in it.";

/** One string, so that any model can call it. */
const SCHEMA = {
  type: "object",
  properties: { question: { type: "string", description: "The whole question, in words." } },
  required: ["question"],
} as const;

/**
 * The retriever as a tool of an agent. The model reads texts; the documents, with their ids and metadata, come as the
 * tool message's artifact.
 */
export function createTriGraphTool(
  retriever: TriGraphRetriever,
  { name = DEFAULT_NAME, description = DEFAULT_DESCRIPTION, format }: TriGraphToolOptions = {},
): DynamicStructuredTool {
  const search = async ({ question }: { question: string }, config: RunnableConfig): Promise<[string, Document[]]> => {
    const documents = await retriever.invoke(question, config);
    if (documents.length === 0) return ["No passage was found.", documents];
    return [format?.(documents) ?? numbered(documents, retriever.vectorStore.keys.title), documents];
  };
  const fields = { name, description, schema: SCHEMA, responseFormat: "content_and_artifact" };
  // With a schema of an object it is always a structured tool; the overloads do not say so.
  return tool(search, fields) as DynamicStructuredTool;
}

function numbered(documents: readonly Document[], titleKey: string | null): string {
  return documents
    .map(({ pageContent, metadata }, i) => {
      const title: unknown = titleKey === null ? undefined : metadata[titleKey];
      return `[${i + 1}] ${typeof title === "string" ? `${title}\n` : ""}${pageContent}`;
    })
    .join("\n\n");
}
