/** Texts that spell out what an analysis finds in them, and segments and views of such texts. */
import fc from "fast-check";
import { finish } from "../../src/steps.js";
import { Liveness } from "../../src/index/liveness.js";
import { View } from "../../src/index/view.js";
import { SegmentBuilder } from "../../src/segment/builder.js";
import { encodeRecord } from "../../src/segment/record.js";
import type { Segment } from "../../src/segment/segment.js";
import type { TextAnalysis, TextAnalyzer } from "../../src/text/analyzer.js";
import type { VectorPrecision } from "../../src/types.js";
import { stableKey } from "../../src/text/keys.js";
import { normalizeName } from "../../src/text/names.js";

/**
 * Names whose keys are equal, found by undoing MurmurHash3: the difference of the first blocks becomes the
 * highest bit of the state, which a multiplication by 5 keeps and the difference of the second takes away.
 */
export const TWINS = ["51kjba l", "ݏJubao0"] as const;

const TWIN_NAMES: ReadonlyMap<string, string> = new Map([
  ["Twin", TWINS[0]],
  ["Twain", TWINS[1]],
]);

/**
 * Sentences end with a full stop; every word is a token, and every run of words with a capital an entity:
 * "Big Eyes hit Rome. it rained." The words "Twin" and "Twain" are two entities with one key.
 */
export class ScriptedAnalyzer implements TextAnalyzer {
  readonly id = "scripted/1";
  private readonly mention: RegExp;

  /** @param names whether neighbouring capitalised words are one name or one each */
  constructor(names: "runs" | "words" = "words") {
    const word = "\\p{Lu}[\\p{L}\\p{M}\\p{N}]*";
    this.mention = new RegExp(names === "runs" ? `${word}(?: ${word})*` : word, "gu");
  }

  analyze(text: string): TextAnalysis {
    return {
      sentences: spans(text, /[^\s.][^.]*\.?/gu),
      tokens: spans(text, /[\p{L}\p{M}\p{N}]+/gu).map((span) => ({
        ...span,
        term: normalizeName(text.slice(span.start, span.end)),
        pos: "X",
      })),
      mentions: spans(text, this.mention).map((span) => {
        const surface = text.slice(span.start, span.end);
        return { ...span, name: TWIN_NAMES.get(surface) ?? normalizeName(surface) };
      }),
    };
  }
}

function spans(text: string, pattern: RegExp) {
  return Array.from(text.matchAll(pattern), (match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** A passage to be indexed. */
export interface ScriptedPassage {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
}

export function segmentOf(
  passages: readonly ScriptedPassage[],
  analyzer: TextAnalyzer = new ScriptedAnalyzer(),
  vectorOf?: (id: string) => Float32Array,
  precision: VectorPrecision = "float32",
): Segment {
  const builder = new SegmentBuilder({ dimensions: vectorOf?.("").length ?? 0, precision });
  for (const { id, text, title } of passages) {
    builder.add({ id, text, title, record: recordOf({ id, text, title }), vector: vectorOf?.(id) }, analyzer);
  }
  return finish(builder.freeze());
}

export function recordOf({ id, text, title }: { id: string; text: string; title?: string | undefined }): string {
  return encodeRecord({ id, text, ...(title === undefined ? {} : { title }) });
}

/** The view of segments, each with the ids of its dead passages. */
export function viewOf(segments: readonly Segment[], dead: readonly ReadonlySet<string>[] = []): View {
  return new View(
    segments.map((segment, i) => {
      const gone = Array.from({ length: segment.passageCount }, (_, p) => p).filter((p) =>
        dead[i]?.has(segment.passageId(p)),
      );
      return { segment, liveness: finish(Liveness.ALL.without(segment, gone)) };
    }),
  );
}

/** In the order of a segment: by key, then id. */
export function inSegmentOrder<T extends { readonly id: string }>(passages: readonly T[]): T[] {
  return [...passages].sort((a, b) => stableKey(a.id) - stableKey(b.id) || (a.id < b.id ? -1 : 1));
}

/** A passage, the segment that it is in, and what a question sees of it. */
export interface PlacedPassage extends ScriptedPassage {
  readonly segment: number;
  readonly state: "visible" | "filtered" | "dead";
}

export interface Placement {
  readonly segments: number;
  readonly passages: readonly PlacedPassage[];
}

/** The segments of a placement and its view. */
export function placed(
  { segments, passages }: Placement,
  analyzer?: TextAnalyzer,
): { segments: Segment[]; view: View } {
  const numbers = Array.from({ length: segments }, (_, i) => i);
  const built = numbers.map((i) =>
    segmentOf(
      passages.filter(({ segment }) => segment === i),
      analyzer,
    ),
  );
  const dead = numbers.map(
    (i) => new Set(passages.filter(({ segment, state }) => segment === i && state === "dead").map(({ id }) => id)),
  );
  return { segments: built, view: viewOf(built, dead) };
}

/** The question's filter over a placement; none when it hides nothing. */
export function filterOf({ passages }: Placement): ((passage: { readonly id: string }) => boolean) | undefined {
  const hidden = new Set(passages.filter(({ state }) => state === "filtered").map(({ id }) => id));
  return hidden.size === 0 ? undefined : ({ id }) => !hidden.has(id);
}

const WORDS = [
  "alpha",
  "beta",
  "gamma",
  "delta",
  "Rome",
  "Oslo",
  "Bern",
  "Kyiv",
  "Lima",
  "Twin",
  "Twain",
  "épée",
  "東京",
];

const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => `${words.join(" ")}.`);

/** Up to 12 passages with distinct ids, two of which may have ids with one key, in up to 4 segments. */
export const placements: fc.Arbitrary<Placement> = fc.integer({ min: 1, max: 4 }).chain((segments) =>
  fc.record({
    segments: fc.constant(segments),
    passages: fc.uniqueArray(
      fc.record(
        {
          id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "é", ...TWINS),
          text: fc.array(sentence, { maxLength: 4, size: "max" }).map((sentences) => sentences.join(" ")),
          title: fc.constantFrom("Rome", "Oslo (film)", TWINS[0], "alpha beta", "Nemo"),
          segment: fc.integer({ min: 0, max: segments - 1 }),
          state: fc.constantFrom("visible", "visible", "visible", "filtered", "dead"),
        },
        { requiredKeys: ["id", "text", "segment", "state"] },
      ),
      { maxLength: 12, size: "max", selector: ({ id }) => id },
    ),
  }),
);
