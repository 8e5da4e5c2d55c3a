/**
 * The graph as GraphML (http://graphml.graphdrawing.org/specification.html), for Gephi, yEd, networkx, igraph.
 *
 * Written piece by piece: the document is never in memory. No library for it: the one for streams that was tried,
 * xmlbuilder2, takes 170 s for 400,000 elements and lets control characters through.
 */
import type { TriGraph } from "@trigraph/core";
import { entityId, passageId, sentenceId } from "./node-ids.js";

type Value = string | number | boolean;

/** Attributes of nodes and edges, with their types as GraphML names them. */
const KEYS = {
  kind: { for: "all", type: "string" },
  label: { for: "node", type: "string" },
  passages: { for: "node", type: "long" },
  count: { for: "edge", type: "long" },
  defines: { for: "edge", type: "boolean" },
} as const;

type Data = Partial<Record<keyof typeof KEYS, Value | undefined>>;

/** Nodes are passages, sentences and entities; edges `has`, `contain` and `mention`, as in `graph-lines.ts`. */
export function* graphMl(index: TriGraph): Generator<string, void, undefined> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n';
  for (const [name, { for: of, type }] of Object.entries(KEYS)) {
    yield `<key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>\n`;
  }
  yield '<graph id="trigraph" edgedefault="directed">\n';
  yield* nodes(index);
  yield* edges(index);
  yield "</graph>\n</graphml>\n";
}

function* nodes(index: TriGraph): Generator<string> {
  for (const { key, name, passages } of index.entities()) {
    yield node(entityId(key), { kind: "entity", label: name, passages });
  }
  for (const { passage, sentences } of index.graph()) {
    yield node(passageId(passage.id), { kind: "passage", label: passage.title ?? passage.id });
    for (const [i, { span }] of sentences.entries()) {
      const label = passage.text.slice(span.start, span.end);
      yield node(sentenceId(passage.id, i), { kind: "sentence", label });
    }
  }
}

function* edges(index: TriGraph): Generator<string> {
  for (const { passage, sentences, contains } of index.graph()) {
    const source = passageId(passage.id);
    for (const { entity, count, defines } of contains) {
      yield edge(source, entityId(entity), { kind: "contain", count, defines });
    }
    for (const [i, { mentions }] of sentences.entries()) {
      const sentence = sentenceId(passage.id, i);
      yield edge(source, sentence, { kind: "has" });
      for (const entity of mentions) yield edge(sentence, entityId(entity), { kind: "mention" });
    }
  }
}

function node(id: string, data: Data): string {
  return `<node id="${escapeXml(id)}">${dataOf(data)}</node>\n`;
}

function edge(source: string, target: string, data: Data): string {
  return `<edge source="${escapeXml(source)}" target="${escapeXml(target)}">${dataOf(data)}</edge>\n`;
}

function dataOf(data: Data): string {
  return Object.entries(data)
    .map(([key, value]) => `<data key="${key}">${escapeXml(String(value))}</data>`)
    .join("");
}

/** What XML gives a meaning, and white space that it would make a space of in an attribute. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["\t", "&#9;"],
  ["\n", "&#10;"],
  ["\r", "&#13;"],
]);

/** What Char in XML 1.0 leaves out: https://www.w3.org/TR/xml/#charsets */
const NO_CHAR = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * For text and attributes alike. Signs that XML 1.0 has no way to write (most control characters, lone surrogates,
 * U+FFFE and U+FFFF) become U+FFFD.
 */
export function escapeXml(text: string): string {
  return text.replace(NO_CHAR, "\ufffd").replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES.get(sign)!);
}
