/** Checks of what comes from outside, once, at the public boundary. */
import { VECTOR_PRECISIONS } from "./segment/packed-vectors.js";
import { InvalidArgumentError } from "./errors.js";
import { MAX_METADATA_DEPTH } from "./metadata.js";
import type { Embedder, Metadata, Passage, PassageFilter, StoredPassage, VectorPrecision } from "./types.js";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** @param method names the caller in errors */
export function checkPassage(method: string, passage: unknown): asserts passage is Passage {
  if (typeof passage !== "object" || passage === null) {
    throw new InvalidArgumentError(`${method}: expected passages { id, text, … }, got ${show(passage)}.`);
  }
  const { id, text, title, metadata } = passage as Record<string, unknown>;
  checkId(method, id);
  const where = `${method}: passage ${show(id)}`;
  if (typeof text !== "string" || text.trim() === "") {
    throw new InvalidArgumentError(
      `${where}: expected a text that is not blank, got ${show(text)}. Leave empty passages out.`,
    );
  }
  if (title !== undefined && typeof title !== "string") {
    throw new InvalidArgumentError(`${where}: expected the title to be a string or absent, got ${show(title)}.`);
  }
  if (metadata !== undefined) checkMetadata(where, metadata);
}

export function checkId(method: string, id: unknown): asserts id is string {
  if (typeof id !== "string" || id === "") {
    throw new InvalidArgumentError(
      `${method}: expected an id that is a string of at least one character, got ${show(id)}.`,
    );
  }
  if (LONE_SURROGATE.test(id)) {
    throw new InvalidArgumentError(
      `${method}: expected a well-formed id, got ${show(id)}, which has half a surrogate pair.`,
    );
  }
}

/** The distinct ids. */
export function readIds(method: string, ids: unknown): string[] {
  if (typeof ids === "string" || typeof ids !== "object" || ids === null || !(Symbol.iterator in ids)) {
    throw new InvalidArgumentError(`${method}: expected an iterable of ids, got ${show(ids)}.`);
  }
  const read = new Set<string>();
  for (const id of ids as Iterable<unknown>) {
    checkId(method, id);
    read.add(id);
  }
  return [...read];
}

export function checkQuestion(method: string, question: unknown): asserts question is string {
  if (typeof question !== "string") {
    throw new InvalidArgumentError(`${method}: expected the question to be a string, got ${show(question)}.`);
  }
  if (question.trim() === "") {
    throw new InvalidArgumentError(`${method}: expected a question, got only white space.`);
  }
}

export function checkK(method: string, k: unknown): asserts k is number {
  if (!Number.isSafeInteger(k) || (k as number) < 1) {
    throw new InvalidArgumentError(`${method}: expected k to be an integer of at least 1, got ${show(k)}.`);
  }
}

/** @throws InvalidArgumentError unless the options are an object of known names and its parts can be used */
export function checkOptions(method: string, options: unknown, others: readonly string[] = []): void {
  checkNames(method, options, [
    "embedder",
    "analyzer",
    "vectorPrecision",
    "vectorIndexer",
    "preset",
    "ranking",
    ...others,
  ]);
  const { embedder, analyzer, vectorPrecision, vectorIndexer } = options as Record<string, unknown>;
  if (vectorPrecision !== undefined && !VECTOR_PRECISIONS.includes(vectorPrecision as VectorPrecision)) {
    throw new InvalidArgumentError(
      `${method}: expected a vectorPrecision of ${VECTOR_PRECISIONS.join(" or ")}, got ${show(vectorPrecision)}.`,
    );
  }
  if (vectorIndexer !== undefined) {
    checkShape(`${method}: vectorIndexer`, vectorIndexer, { minPassages: "number", build: "function" });
  }
  if (analyzer !== undefined) checkAnalyzer(method, analyzer);
  if (embedder === undefined) return;
  checkShape(`${method}: embedder`, embedder, {
    id: "string",
    embedPassages: "function",
    embedQuery: "function",
  });
}

export function checkAnalyzer(method: string, analyzer: unknown): void {
  const takesTime = typeof analyzer === "object" && analyzer !== null && "read" in analyzer;
  const members = takesTime ? { tokenize: "function", read: "function" } : { analyze: "function" };
  checkShape(`${method}: analyzer`, analyzer, { id: "string", ...members });
}

export function checkDimensions(method: string, { dimensions }: Embedder): void {
  if (Number.isSafeInteger(dimensions) && dimensions >= 1) return;
  throw new InvalidArgumentError(
    `${method}: embedder: expected dimensions to be an integer of at least 1, got ${show(dimensions)}.`,
  );
}

export function checkCallOptions(method: string, options: unknown, others: readonly string[] = []): void {
  checkNames(method, options, ["signal", ...others]);
}

export function checkUpsertOptions(method: string, options: unknown): void {
  checkCallOptions(method, options, ["onProgress", "workers"]);
  const { workers } = options as { workers?: unknown };
  if (workers !== undefined) checkShape(`${method}: workers`, workers, { analyze: "function" });
}

const NEAREST_OPTIONS = ["k", "filter", "signal"];
const BUDGET_OPTIONS = ["minScore", "maxTokens", "countTokens"];

export function checkNearestOptions(method: string, options: unknown): void {
  checkNames(method, options, NEAREST_OPTIONS);
}

export function checkRetrieveOptions(method: string, options: unknown): void {
  const others = ["explain", "vector", "priors", "among", "ranking", "onTrace"];
  checkNames(method, options, [...NEAREST_OPTIONS, ...BUDGET_OPTIONS, ...others]);
  const { minScore, maxTokens, countTokens, ranking } = options as Record<string, unknown>;
  if (ranking !== undefined && (typeof ranking !== "object" || ranking === null)) {
    throw new InvalidArgumentError(`${method}: expected ranking to be an object of settings, got ${show(ranking)}.`);
  }
  for (const [name, value] of Object.entries({ minScore, maxTokens })) {
    if (value === undefined || (typeof value === "number" && value >= 0)) continue;
    throw new InvalidArgumentError(`${method}: expected ${name} to be a number of at least 0, got ${show(value)}.`);
  }
  if (countTokens === undefined || typeof countTokens === "function") return;
  throw new InvalidArgumentError(`${method}: expected countTokens to be a function, got ${show(countTokens)}.`);
}

export function checkDirectory(method: string, directory: unknown): void {
  const hint = typeof directory === "string" ? ' Wrap a path: new FileDirectory(path) from "@trigraph/core/node".' : "";
  checkShape(
    `${method}: directory`,
    directory,
    { list: "function", read: "function", createExclusive: "function" },
    hint,
  );
}

/** @throws InvalidArgumentError unless the options are an object that has no other names, and any signal is one */
export function checkNames(method: string, options: unknown, names: readonly string[]): asserts options is object {
  if (typeof options !== "object" || options === null) {
    throw new InvalidArgumentError(`${method}: expected options to be an object, got ${show(options)}.`);
  }
  const { signal } = options as { signal?: unknown };
  if (signal !== undefined) checkShape(`${method}: signal`, signal, { aborted: "boolean", throwIfAborted: "function" });
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new InvalidArgumentError(`${method}: expected options of ${names.join(", ")}, got ${show(unknown)}.`);
}

function checkShape(where: string, value: unknown, members: Readonly<Record<string, string>>, hint = ""): void {
  const isObject = typeof value === "object" && value !== null;
  for (const [member, type] of Object.entries(members)) {
    const found = isObject ? (value as Record<string, unknown>)[member] : undefined;
    if (typeof found === type) continue;
    const got = isObject ? `${show(value)} whose ${member} is ${show(found)}` : show(value);
    throw new InvalidArgumentError(
      `${where}: expected an object with ${Object.keys(members).join(", ")}, got ${got}.${hint}`,
    );
  }
}

/** The filter as a predicate. Metadata values are compared as JSON. */
export function toPredicate(
  method: string,
  filter: PassageFilter | undefined,
): ((passage: StoredPassage) => boolean) | undefined {
  if (filter === undefined) return undefined;
  if (typeof filter === "function") {
    return (passage) => {
      const answer: unknown = filter(passage);
      if (typeof answer === "boolean") return answer;
      throw new InvalidArgumentError(`${method}: expected the filter to return true or false, got ${show(answer)}.`);
    };
  }
  checkMetadata(`${method}: filter`, filter);
  const wanted = Object.entries(filter);
  return ({ metadata = {} }) =>
    wanted.every(([key, value]) => Object.hasOwn(metadata, key) && isEqual(metadata[key], value));
}

function checkMetadata(where: string, metadata: unknown): asserts metadata is Metadata {
  if (!isPlainObject(metadata)) {
    throw new InvalidArgumentError(`${where}: expected metadata to be a plain object, got ${show(metadata)}.`);
  }
  checkJson(`${where}: metadata`, metadata, 0);
}

function checkJson(where: string, value: unknown, depth: number): void {
  if (depth > MAX_METADATA_DEPTH) {
    throw new InvalidArgumentError(
      `${where}: expected JSON at most ${MAX_METADATA_DEPTH} levels deep and without cycles.`,
    );
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    // Not forEach: it would pass over holes.
    for (let i = 0; i < value.length; i++) checkJson(`${where}[${i}]`, value[i], depth + 1);
    return;
  }
  if (isPlainObject(value)) {
    for (const [key, item] of Object.entries(value)) checkJson(`${where}[${JSON.stringify(key)}]`, item, depth + 1);
    return;
  }
  throw new InvalidArgumentError(
    `${where}: expected JSON (string, finite number, boolean, null, array or plain object), got ${show(value)}. ` +
      "Convert it, or leave it out.",
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Objects of another realm have another Object.prototype, whose own prototype is null as well.
  return (
    prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty"))
  );
}

/** Equality of JSON values, whatever the order of keys. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) && isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}

/** A value in an error message: what it is, shortened. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) {
    const { constructor } = value;
    return typeof constructor === "function" && constructor.name !== ""
      ? `an object of ${constructor.name}`
      : "an object";
  }
  return String(value);
}
