/** Retrieval, then an answer with citations: a chain of LangChain's expression language. */
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Document } from "@langchain/core/documents";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { type Runnable, RunnableLambda, RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import type { TriGraphRetriever } from "@trigraph/langchain";

const PROMPT = ChatPromptTemplate.fromMessages([
  [
    "system",
    "Answer from the numbered passages alone, and cite each that you use by its number, as in [1].\n\n{passages}",
  ],
  ["human", "{question}"],
]);

type Asked = { question: string };

type Found = Asked & { documents: Document[] };

/** What the chain yields; streamed, its members come one after the other, the answer in pieces. */
export type Answered = Found & { answer: string };

export function answerWithCitations(retriever: TriGraphRetriever, model: BaseChatModel): Runnable<Asked, Answered> {
  const documents = RunnableLambda.from(({ question }: Asked) => question).pipe(retriever);
  const answer = RunnableSequence.from<Found, string>([
    { passages: (found: Found) => numbered(found.documents), question: ({ question }: Found) => question },
    PROMPT,
    model,
    new StringOutputParser(),
  ]);
  return RunnableSequence.from<Asked, Answered>([
    RunnablePassthrough.assign({ documents }),
    RunnablePassthrough.assign({ answer }),
  ]);
}

function numbered(documents: readonly Document[]): string {
  return documents.map(({ pageContent }, i) => `[${i + 1}] ${pageContent}`).join("\n\n");
}
