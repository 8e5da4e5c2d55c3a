import { Document } from "@langchain/core/documents";
import { expect, test } from "vitest";
import { readCitations } from "../src/citations.js";
import { reportOn } from "../src/report.js";
import { Sources } from "../src/sources.js";

const documents = ["a", "b", "c"].map(
  (id) => new Document({ id, pageContent: `text ${id}`, metadata: { title: id, evidence: { via: "words" } } }),
);

test("cited passages are told each once, in order, apart from numbers that there is no passage for", () => {
  const { cited, invented } = readCitations("B [2], a [1][2] and nothing [9] [0] [x].", documents);
  expect([...cited].map(([n, { id }]) => `${n}${id}`)).toEqual(["1a", "2b"]);
  expect(invented).toEqual([0, 9]);
});

test("an answer without citations, and a wrong one, are told", () => {
  expect(reportOn("No idea.", documents, { question: "?", answers: ["Uppsala"] })).toBe(
    "Cited: nothing\nContain accuracy: 0 (Uppsala)",
  );
  expect(reportOn("C [3].", documents, { question: "?", answers: [] })).toBe(
    "Cited (each number is a passage):\n[3] c, by its similarity to the question",
  );
});

test("over several searches of an agent a passage keeps its number", () => {
  const sources = new Sources();
  const [a, b, c] = documents;
  expect(sources.show([b, a])).toBe("[1] b: text b\n\n[2] a: text a");
  expect(sources.show([c, b])).toBe("[3] c: text c\n\n[1] b: text b");
  expect(sources.documents).toEqual([b, a, c]);
});
