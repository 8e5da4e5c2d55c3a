import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { embeddedText, type Passage } from "@trigraph/core";
import { parseCorpora } from "../src/data/corpus.js";
import { Bm25 } from "../src/methods/bm25.js";
import { SharedEmbedder } from "../src/methods/embedding.js";
import type { BuiltMethod } from "../src/methods/method.js";
import { loadOptional } from "../src/methods/optional.js";
import { METHODS, methodsNamed } from "../src/methods/registry.js";
import { idsOf } from "../src/retriever.js";
import { hashingEmbedder, SAMPLE } from "./support/data.js";

const QUESTION = "Where was the director of film The Ape (2005 Film) born?";
const passages: readonly Passage[] = parseCorpora([
  { name: "corpus.jsonl", text: readFileSync(SAMPLE.corpus, "utf8") },
]).slice(0, 120);

describe.each([...METHODS.values()])("$name", (method) => {
  const embedder = hashingEmbedder();
  const shared = new SharedEmbedder(embedder);
  let built: BuiltMethod;

  beforeAll(async () => {
    await shared.prepare(passages.map(embeddedText));
    built = await method.build(passages, { embedder: shared });
  });

  test("finds the passage that a text is", async () => {
    // All its words stand in the passage.
    const { id, text } = passages.find(({ text }) => text.length > 200)!;
    const known = (each: string) => passages.some((passage) => passage.id === each);
    const found = await idsOf(built, text, 10, { name: method.name, known });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(10);
    expect(found).toContain(id);
  });

  test("takes any signs in a question, and every depth", async () => {
    const known = () => true;
    for (const k of [1, 4]) {
      const found = await idsOf(built, `${QUESTION} a.b* [c] \\ {2} ^$ | + ??`, k, { name: method.name, known });
      expect(found.length).toBeLessThanOrEqual(k);
    }
  });

  test("embeds no passage that is embedded already", () => {
    expect(embedder.embedded).toHaveLength(new Set(passages.map(embeddedText)).size);
  });
});

test("three exact vector searches agree", async () => {
  const embedder = new SharedEmbedder(hashingEmbedder(1024));
  const questions = [QUESTION, "Which island lies in the Laptev Sea?", "a writer of children's literature"];
  const rankings = await Promise.all(
    methodsNamed(["vectors", "langchain-vectors", "llamaindex-vectors"]).map(async (method) => {
      const built = await method.build(passages, { embedder });
      const asked = { name: method.name, known: () => true };
      return Promise.all(questions.map((question) => idsOf(built, question, 3, asked)));
    }),
  );
  expect(rankings[1]).toEqual(rankings[0]);
  expect(rankings[2]).toEqual(rankings[0]);
});

test("names that there are not, and names twice, are refused", () => {
  expect(() => methodsNamed(["trigraph", "trigraf"])).toThrow('got "trigraf"');
  expect(() => methodsNamed(["bm25", "bm25"])).toThrow("once");
});

test("a package that is not installed is named", async () => {
  // A computed name: nothing resolves it before it runs.
  const name = ["no", "such", "package"].join("-");
  const loaded = loadOptional("mine", [name], () => import(name));
  await expect(loaded).rejects.toMatchObject({ code: "MISSING_PACKAGE" });
  await expect(loaded).rejects.toThrow("npm install no-such-package");
  const broken = loadOptional("mine", ["broken"], () => {
    throw new TypeError("is not a function");
  });
  await expect(broken).rejects.toThrow("method mine: expected broken to load, and one did not (is not a function)");
});

describe("Bm25", () => {
  test("ranks by Okapi's formula", () => {
    const texts = ["red apple", "red red wine", "green tree house"];
    const engine = Bm25.over(texts.map((text, i) => ({ id: String(i), text })))!;
    // idf(red) = ln(1 + 1.5 / 2.5) = 0.470; tf 2 of 3 words beats tf 1 of 2 (average 8/3): 0.628 to 0.526.
    expect(engine.search("red", 5)).toEqual(["1", "0"]);
    expect(engine.search("nothing", 5)).toEqual([]);
  });

  test("needs three passages, as its library does", () => {
    expect(Bm25.over([{ id: "a", text: "one" }])).toBeUndefined();
  });

  test("cuts scripts without spaces into words", () => {
    const texts = ["東京は日本の首都です", "大阪の城", "春の海"];
    expect(Bm25.over(texts.map((text, i) => ({ id: String(i), text })))!.search("日本の首都", 1)).toEqual(["0"]);
  });
});
