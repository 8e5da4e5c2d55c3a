import process from "node:process";
import type { Document } from "@langchain/core/documents";
import type { Evidence } from "@trigraph/core";
import { TriGraphRetriever } from "@trigraph/langchain";
import { type Answered, answerWithCitations, cited } from "./chain.js";
import { documents } from "./documents.js";
import { connect } from "./openai.js";

const question = process.argv[2] ?? "Who is the mother of the director of The Silent Harbour?";
const { model, embeddings, close } = await connect(process.env.OPENAI_API_KEY);

try {
  const retriever = await TriGraphRetriever.fromDocuments(documents, embeddings, { k: 3, includeEvidence: true });
  process.stdout.write(`${question}\n\n`);
  let found: Document[] = [];
  let answer = "";
  for await (const chunk of await answerWithCitations(retriever, model).stream({ question })) {
    const { documents: retrieved = found, answer: piece = "" }: Partial<Answered> = chunk;
    found = retrieved;
    answer += piece;
    process.stdout.write(piece);
  }
  process.stdout.write("\n\nCited:\n");
  for (const [number, { metadata }] of cited(answer, found)) {
    process.stdout.write(`[${number}] ${metadata.title as string}${path(metadata.evidence as Evidence)}\n`);
  }
} finally {
  await close();
}

/** The entities that led from the question to the passage. */
function path(evidence: Evidence): string {
  if (evidence.via !== "graph") return ", by its similarity to the question";
  const entities = [evidence.seed.entity, ...evidence.steps.map(({ to }) => to.entity)];
  return `, by ${entities.join(" → ")}`;
}
