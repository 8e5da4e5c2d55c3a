// An application may hold two copies of LangChain: what comes of the other one is taken by what it can do.
import { Document } from "@langchain/core/documents";
import { FakeRetriever, SyntheticEmbeddings } from "@langchain/core/utils/testing";
import * as otherDocuments from "langchain-core-oldest/documents";
import * as otherPrompts from "langchain-core-oldest/prompts";
import * as otherRunnables from "langchain-core-oldest/runnables";
import * as otherTesting from "langchain-core-oldest/utils/testing";
import { expect, test } from "vitest";
import { createTriGraphTool, TriGraphRetriever } from "../src/index.js";
import { films, idsOf, PATH, QUESTION } from "./support/films.js";

const theirs = () => films().map((film) => new otherDocuments.Document({ ...film, id: film.id! }));

test("documents, embeddings and dense retrievers of another copy do", async () => {
  expect(theirs()[0]).not.toBeInstanceOf(Document);
  const retriever = await TriGraphRetriever.fromDocuments(
    theirs(),
    new otherTesting.SyntheticEmbeddings({ vectorSize: 16 }),
    { k: 3 },
  );
  const own = await TriGraphRetriever.fromDocuments(films(), new SyntheticEmbeddings({ vectorSize: 16 }), { k: 3 });
  expect(await retriever.invoke(QUESTION)).toEqual(await own.invoke(QUESTION));

  const output = theirs().slice(3);
  const dense = async (denseRetriever: FakeRetriever) =>
    (await TriGraphRetriever.fromDocuments(theirs(), undefined, { denseRetriever })).invoke(QUESTION);
  const foreign = new otherTesting.FakeRetriever({ output }) as unknown as FakeRetriever;
  expect(idsOf(await dense(foreign))).toEqual(idsOf(await dense(new FakeRetriever({ output }))));
});

test("chains of another copy take the retriever and the tool", async () => {
  const retriever = await TriGraphRetriever.fromDocuments(films(), undefined, { k: 3 });
  const chain = otherRunnables.RunnableSequence.from<{ input: string }, string>([
    {
      context: async ({ input }: { input: string }, config: object) =>
        (await retriever.invoke(input, config)).map(({ id }) => id).join(" "),
    },
    otherPrompts.PromptTemplate.fromTemplate("{context}"),
    (prompt: { toString: () => string }) => prompt.toString(),
  ]);
  expect(await chain.invoke({ input: QUESTION })).toBe(PATH.join(" "));
  const tool = createTriGraphTool(retriever, { format: (documents) => idsOf(documents).join(" ") });
  const piped = otherRunnables.RunnableLambda.from((question: string) => ({ question })).pipe(tool as never);
  expect(await piped.invoke(QUESTION)).toBe(PATH.join(" "));
});
