import type { BaseRetriever } from "@llamaindex/core/retriever";
import { MetadataMode } from "@llamaindex/core/schema";
import { type FunctionTool, tool } from "@llamaindex/core/tools";
import { InvalidArgumentError, checkNames, show } from "@trigraph/core";

/** Options of `createTriGraphTool`. */
export interface TriGraphToolOptions {
  /** What answers: a `TriGraphRetriever`, which decides how many passages come and which may be seen. */
  readonly retriever: BaseRetriever;
  /** Default `"search_passages"`. */
  readonly name?: string | undefined;
  /** Tells the model what is in the index and when to look there. */
  readonly description?: string | undefined;
}

/** What the tool says of a passage. */
export type RetrievedText = {
  id: string;
  /** As LlamaIndex shows the node to a language model: metadata, then text. */
  text: string;
};

const DESCRIPTION =
  "Finds the passages that answer a question, also where the evidence is spread over several of them. " +
  "Ask one whole question that names the people, places and things it is about.";

/** A tool for LlamaIndex's agents that retrieves passages: best first, as an array of `{ id, text }`. */
export function createTriGraphTool(
  options: TriGraphToolOptions,
): FunctionTool<{ query: string }, RetrievedText[] | Promise<RetrievedText[]>> {
  checkNames("createTriGraphTool", options, ["retriever", "name", "description"]);
  const { retriever, name = "search_passages", description = DESCRIPTION } = options;
  return tool(
    async ({ query }: { query: string }) => {
      // LlamaIndex hands on what the model said, whether it is what the schema asks for or not.
      if (typeof query !== "string" || query.trim() === "") {
        throw new InvalidArgumentError(`${name}: expected { query } with a question, got ${show(query)}.`);
      }
      const found = await retriever.retrieve(query);
      return found.map(({ node }) => ({ id: node.id_, text: node.getContent(MetadataMode.LLM) }));
    },
    {
      name,
      description,
      parameters: {
        type: "object",
        properties: { query: { type: "string", description: "The question" } },
        required: ["query"],
      },
    },
  ) as FunctionTool<{ query: string }, RetrievedText[] | Promise<RetrievedText[]>>;
}
