import { expect, test } from "vitest";
import { Bm25 } from "../src/bm25.js";
import { readBundledCorpus, readBundledQuestions } from "../src/bundled.js";

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

test("ranks as the formula of Okapi BM25 does", async () => {
  const [k1, b] = [1.2, 0.75];
  const passages = await readBundledCorpus();
  const documents = passages.map(({ title = "", text }) => words(`${title} ${text}`));
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const bm25 = Bm25.over(passages)!;
  for (const { question } of await readBundledQuestions()) {
    const scores = documents.map(() => 0);
    for (const word of words(question)) {
      const counts = documents.map((document) => document.filter((other) => other === word).length);
      const n = counts.filter((count) => count > 0).length;
      const idf = Math.log((documents.length - n + 0.5) / (n + 0.5) + 1);
      counts.forEach((f, i) => {
        scores[i] += (idf * f * (k1 + 1)) / (f + k1 * (1 - b + (b * documents[i].length) / averageLength));
      });
    }
    const scoreOf = new Map(passages.map(({ id }, i) => [id, scores[i]]));
    const found = bm25.search(question, 5).map((id) => scoreOf.get(id)!);
    const expected = [...scores].sort((a, b) => b - a).slice(0, 5);
    found.forEach((score, i) => expect(score).toBeCloseTo(expected[i], 6));
  }
});

test("finds words of scripts without spaces", () => {
  const passages = ["吾輩は猫である。", "私は犬です。", "鳥が飛ぶ。"].map((text, i) => ({ id: `${i}`, text }));
  expect(Bm25.over(passages)!.search("犬", 5)).toEqual(["1"]);
});
