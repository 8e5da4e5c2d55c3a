/** A question whose answer is two passages away from the one that it names, and passages that share its words. */
import { Document, type NodeWithScore, NodeRelationship, TextNode } from "@llamaindex/core/schema";
import { OpenAI, OpenAIEmbedding } from "@llamaindex/openai";
import type { LocalOpenAi } from "@trigraph/local-openai";

export const QUESTION = "Who is the mother of the director of The Silent Harbour?";

/** In the order in which they answer `QUESTION`. */
export const CHAIN = ["film", "director", "mother"];

const TEXTS: readonly (readonly [id: string, title: string, text: string, metadata: object])[] = [
  [
    "film",
    "The Silent Harbour",
    "The Silent Harbour is a 1962 drama film by the director Ada Lindqvist.",
    { year: 1962 },
  ],
  [
    "director",
    "Ada Lindqvist",
    "Ada Lindqvist was a Swedish director. Ada Lindqvist was born to her mother, the painter Greta Holm.",
    { year: 1921 },
  ],
  [
    "mother",
    "Greta Holm",
    "Greta Holm was a painter. Her landscapes hang in the town hall of Uppsala.",
    { year: 1890 },
  ],
  [
    "decoy",
    "Mother of the Year",
    "Mother of the Year is a film about the mother of a film director. The mother of the director wins a prize.",
    { year: 2001 },
  ],
  ["other", "Harbours", "A harbour is a place where ships are sheltered from the sea.", { year: 2010 }],
];

export const textOf = (id: string): string => TEXTS.find(([each]) => each === id)![2];

export function documents(): Document[] {
  return TEXTS.map(([id_, title, text, metadata]) => new Document({ id_, text, metadata: { title, ...metadata } }));
}

/** The same as nodes that are cut already, each of a document of its own. */
export function nodes(): TextNode[] {
  return TEXTS.map(
    ([id_, title, text, metadata]) =>
      new TextNode({
        id_,
        text,
        metadata: { title, ...metadata },
        relationships: { [NodeRelationship.SOURCE]: { nodeId: `doc-${id_}`, metadata: {} } },
      }),
  );
}

export const idsOf = (found: readonly NodeWithScore[]): string[] => found.map(({ node }) => node.id_);
export const titlesOf = (found: readonly NodeWithScore[]): string[] =>
  found.map(({ node }) => node.metadata.title as string);

/** OpenAI's model as LlamaIndex has it, asked over HTTP. */
export function chatModel(server: LocalOpenAi, options: ConstructorParameters<typeof OpenAI>[0] = {}): OpenAI {
  return new OpenAI({ model: "gpt-4o-mini", apiKey: "local", baseURL: server.url, maxRetries: 0, ...options });
}

export function embeddingModel(
  server: LocalOpenAi,
  options: ConstructorParameters<typeof OpenAIEmbedding>[0] = {},
): OpenAIEmbedding {
  return new OpenAIEmbedding({
    model: "text-embedding-3-small",
    dimensions: 256,
    apiKey: "local",
    baseURL: server.url,
    maxRetries: 0,
    ...options,
  });
}

export const chats = (server: LocalOpenAi) => server.requests.filter(({ path }) => path.endsWith("/chat/completions"));
export const embedded = (server: LocalOpenAi) => server.requests.filter(({ path }) => path.endsWith("/embeddings"));
