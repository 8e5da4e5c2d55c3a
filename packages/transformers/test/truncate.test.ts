// Against another tokenizer, and against what is cut by hand.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Model } from "../src/model.js";
import { SharedModel } from "../src/shared-model.js";
import { encodePair, encodeText } from "../src/truncate.js";
import { ENCODER, goldens } from "./support/models.js";

const shared = new SharedModel("test", "encoder", ENCODER);
let model: Model;
beforeAll(async () => {
  model = await shared.load();
});
afterAll(() => shared.dispose());

test("texts and pairs have the pieces that another tokenizer finds", () => {
  for (const { text, ids } of goldens.ids) expect(model.encode(text).ids).toEqual(ids);
  for (const { pair, ids, types } of goldens.pairIds) expect(model.encode(...pair)).toEqual({ ids, types });
});

const [CLS, SEP] = [2, 3];

test("a text keeps its beginning and its closing piece", () => {
  const words = "bees make honey of the flower in the garden";
  const own = model.pieces(words);
  for (let limit = 2; limit < own.length + 4; limit++) {
    const { ids, types } = encodeText(model, words, limit);
    expect(ids).toEqual([CLS, ...own.slice(0, limit - 2), SEP]);
    expect(types).toHaveLength(ids.length);
  }
});

test("of a pair the longer one is cut until both are of a length", () => {
  // Opens with a piece that is unknown, which is special as well.
  const question = "日 bees make";
  const passage = "honey of the flower in the garden 日";
  const [q, p] = [model.pieces(question), model.pieces(passage)];
  expect([q.length, p.length]).toEqual([3, 8]);
  const kept = (limit: number) => {
    const { ids, types } = encodePair(model, question, passage, limit);
    expect(types).toEqual(ids.map((_, i) => (i <= ids.indexOf(SEP) ? 0 : 1)));
    const middle = ids.indexOf(SEP);
    expect([ids[0], ids.at(-1)]).toEqual([CLS, SEP]);
    return [ids.slice(1, middle), ids.slice(middle + 1, -1)];
  };
  expect(kept(14)).toEqual([q, p]);
  expect(kept(12)).toEqual([q, p.slice(0, 6)]);
  expect(kept(9)).toEqual([q, p.slice(0, 3)]);
  expect(kept(7)).toEqual([q.slice(0, 2), p.slice(0, 2)]);
  expect(kept(3)).toEqual([[], []]);
});
