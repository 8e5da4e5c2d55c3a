/** The graph as JSON Lines: nodes and edges, a line each. */
import type { TriGraph } from "@trigraph/core";
import { entityId, passageId, sentenceId } from "./node-ids.js";

/**
 * - `{"node": "passage", "id", "passage", "title"?}`, where `passage` is the id in the index
 * - `{"node": "sentence", "id", "text"}` and `{"node": "entity", "id", "name", "passages"}`
 * - `{"edge": "has", "source", "target"}` from a passage to its sentences
 * - `{"edge": "contain", "source", "target", "count", "defines"}` from a passage to an entity: matrix C
 * - `{"edge": "mention", "source", "target"}` from a sentence to an entity: matrix M
 *
 * An edge comes after its nodes.
 */
export function* graphLines(index: TriGraph): Generator<string, void, undefined> {
  for (const { key, name, passages } of index.entities()) {
    yield line({ node: "entity", id: entityId(key), name, passages });
  }
  for (const { passage, sentences, contains } of index.graph()) {
    const source = passageId(passage.id);
    yield line({ node: "passage", id: source, passage: passage.id, title: passage.title });
    for (const { entity, count, defines } of contains) {
      yield line({ edge: "contain", source, target: entityId(entity), count, defines });
    }
    for (const [i, { span, mentions }] of sentences.entries()) {
      const id = sentenceId(passage.id, i);
      yield line({ node: "sentence", id, text: passage.text.slice(span.start, span.end) });
      yield line({ edge: "has", source, target: id });
      for (const entity of mentions) yield line({ edge: "mention", source: id, target: entityId(entity) });
    }
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
