/**
 * LlamaIndex's metadata filters as predicates over passages, with the meaning that its own SimpleVectorStore gives
 * them: a node without the key passes no filter but `is_empty`, and values are of one type or not equal.
 */
import type { MetadataFilter, MetadataFilters, MetadataFilterValue } from "@llamaindex/core/vector-store";
import { InvalidArgumentError, type StoredPassage, show } from "@trigraph/core";
import { metadataOf, refDocIdOf } from "./passages.js";

/** A predicate over the value of one metadata key. */
type Test = (value: unknown) => boolean;
type Primitive = string | number;
type Operator = MetadataFilter["operator"];

/** What LlamaIndex's stores add to the metadata of a node: the id of its document. */
const REF_DOC_KEYS = ["ref_doc_id", "doc_id", "document_id"];

/** @throws InvalidArgumentError on an operator, a condition or a value that is not supported */
export function toPredicate(where: string, filters: MetadataFilters): (passage: StoredPassage) => boolean {
  const { filters: list, condition = "and" } = (filters as Partial<MetadataFilters> | null) ?? {};
  if (!Array.isArray(list)) {
    throw new InvalidArgumentError(`${where}: expected filters { filters: [{ key, operator, value }], condition }.`);
  }
  if (condition !== "and" && condition !== "or") {
    throw new InvalidArgumentError(`${where}: expected the condition "and" or "or", got ${show(condition)}.`);
  }
  const tests = list.map((filter) => toKeyTest(where, filter));
  return condition === "and"
    ? (passage) => tests.every((test) => test(passage))
    : (passage) => tests.some((test) => test(passage));
}

function toKeyTest(where: string, filter: MetadataFilter): (passage: StoredPassage) => boolean {
  const { key, operator, value } = filter;
  if (typeof key !== "string") {
    throw new InvalidArgumentError(`${where}: expected filters { key, operator, value }, got the key ${show(key)}.`);
  }
  const test = toTest(`${where}: filter ${show(key)} ${operator}`, operator, value);
  return (passage) => {
    const found = valueOf(passage, key);
    return found === undefined ? operator === "is_empty" : test(found);
  };
}

function valueOf(passage: StoredPassage, key: string): unknown {
  const metadata = metadataOf(passage);
  if (Object.hasOwn(metadata, key)) return metadata[key];
  return REF_DOC_KEYS.includes(key) ? refDocIdOf(passage) : undefined;
}

function toTest(where: string, operator: Operator, value: MetadataFilterValue | undefined): Test {
  switch (operator) {
    case "==": {
      const wanted = primitive(where, value);
      return (found) => found === wanted;
    }
    case "!=": {
      const unwanted = primitive(where, value);
      return (found) => found !== unwanted;
    }
    case ">":
      return comparison(where, value, (a, b) => a > b);
    case "<":
      return comparison(where, value, (a, b) => a < b);
    case ">=":
      return comparison(where, value, (a, b) => a >= b);
    case "<=":
      return comparison(where, value, (a, b) => a <= b);
    case "in": {
      const wanted = primitives(where, value);
      return (found) => wanted.has(found);
    }
    case "nin": {
      const unwanted = primitives(where, value);
      return (found) => !unwanted.has(found);
    }
    case "any": {
      const wanted = primitives(where, value);
      return (found) => Array.isArray(found) && found.some((item) => wanted.has(item));
    }
    case "all": {
      const wanted = [...primitives(where, value)];
      return (found) => Array.isArray(found) && wanted.every((item) => found.includes(item));
    }
    case "contains": {
      const wanted = primitive(where, value);
      return (found) => Array.isArray(found) && found.includes(wanted);
    }
    case "text_match": {
      if (typeof value !== "string") throw refused(where, "a string", value);
      return (found) => typeof found === "string" && found.includes(value);
    }
    case "is_empty":
      return (found) => found === null || found === "" || (Array.isArray(found) && found.length === 0);
    default:
      throw new InvalidArgumentError(
        `${where}: expected an operator of LlamaIndex's FilterOperator, got ${show(operator satisfies never)}.`,
      );
  }
}

/** Numbers compare with numbers and strings with strings: no other order is meant by anyone. */
function comparison(
  where: string,
  value: MetadataFilterValue | undefined,
  compare: (a: Primitive, b: Primitive) => boolean,
): Test {
  const bound = primitive(where, value);
  return (found) => typeof found === typeof bound && compare(found as Primitive, bound);
}

function primitive(where: string, value: unknown): Primitive {
  if (typeof value === "string" || typeof value === "number") return value;
  throw refused(where, "a string or a number", value);
}

function primitives(where: string, value: unknown): ReadonlySet<unknown> {
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string" || typeof item === "number");
  if (isList) return new Set<unknown>(value);
  throw refused(where, "an array of strings or numbers", value);
}

function refused(where: string, expected: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${where}: expected ${expected}, got ${show(value)}.`);
}
