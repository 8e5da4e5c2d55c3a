/** Labels of units as spans: B-X begins an entity of type X, I-X goes on with it, O is none. */
import { ModelError } from "../errors.js";

/** What a label says. */
export interface Tag {
  /** Undefined for O. */
  readonly type: string | undefined;
  readonly begins: boolean;
}

/** Entities as half-open ranges of units. */
export interface UnitSpan {
  readonly first: number;
  readonly end: number;
  readonly type: string;
}

const LABEL = /^([BI])-(.+)$/;

/** @throws ModelError unless the model's labels are O, B-X and I-X */
export function readTags(owner: string, model: string, id2label: unknown): Tag[] {
  const labels = typeof id2label === "object" && id2label !== null ? (id2label as Record<string, unknown>) : {};
  const tags = Array.from({ length: Object.keys(labels).length }, (_, i) => toTag(labels[i]));
  if (tags.length > 1 && tags.every((tag) => tag !== undefined)) return tags;
  throw new ModelError(
    "MODEL",
    `${owner}: expected the labels of ${model} to be O, B-… and I-…, got ${Object.values(labels).map(String).join(", ")}. Name a model that marks entities so.`,
  );
}

function toTag(label: unknown): Tag | undefined {
  if (label === "O") return { type: undefined, begins: false };
  const parts = typeof label === "string" ? LABEL.exec(label) : null;
  return parts === null ? undefined : { type: parts[2], begins: parts[1] === "B" };
}

/**
 * An I-X that follows no X begins one, as in models that use B-X only between neighbours.
 *
 * @param breaks whether no entity may go on from the unit before to this one
 */
export function toSpans(tags: readonly Tag[], breaks: (unit: number) => boolean): UnitSpan[] {
  const spans: UnitSpan[] = [];
  let first = 0;
  for (let u = 1; u <= tags.length; u++) {
    const { type } = tags[first];
    if (u < tags.length && tags[u].type === type && !tags[u].begins && !breaks(u)) continue;
    if (type !== undefined) spans.push({ first, end: u, type });
    first = u;
  }
  return spans;
}
