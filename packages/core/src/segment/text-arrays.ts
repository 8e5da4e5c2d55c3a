/** What an index needs of texts, as arrays: everything of a segment that the passages' own fields do not give. */
import {
  type TermSpan,
  type TextAnalyzer,
  type UntaggedAnalysis,
  analyzeUntagged,
  tokenize,
} from "../text/analyzer.js";
import { stableKey } from "../text/keys.js";
import { titleNames } from "../text/names.js";
import type { SegmentArrays } from "./segment.js";
import { packStrings } from "./strings.js";

/** What of a passage is analysed. */
export interface TitledText {
  readonly text: string;
  readonly title: string | undefined;
}

/** Passages in the order in which they were added, entities and terms in that of their first occurrence; rows as they come. */
export type TextArrays = Pick<
  SegmentArrays,
  | "tokenIndptr"
  | "tokens"
  | "sentenceIndptr"
  | "sentenceStarts"
  | "sentenceEnds"
  | "sentenceTokens"
  | "mentionIndptr"
  | "mentionEntities"
  | "containIndptr"
  | "containEntities"
  | "containCounts"
  | "containDefines"
  | "entityKeys"
  | "entityNameOffsets"
  | "entityNameBytes"
  | "termKeys"
  | "termNameOffsets"
  | "termNameBytes"
>;

/** Gives each distinct string the next ordinal. */
class Interner {
  readonly strings: string[] = [];
  private readonly ordinals = new Map<string, number>();

  intern(text: string): number {
    let ordinal = this.ordinals.get(text);
    if (ordinal === undefined) {
      ordinal = this.strings.length;
      this.ordinals.set(text, ordinal);
      this.strings.push(text);
    }
    return ordinal;
  }

  keys(): Float64Array {
    return Float64Array.from(this.strings, stableKey);
  }
}

/** A CSR matrix under construction. */
interface Rows {
  readonly indptr: number[];
  readonly indices: number[];
}

/** Collects analysed texts and freezes them into arrays. */
export class TextBuilder {
  private readonly entities = new Interner();
  private readonly terms = new Interner();
  private readonly tokens: Rows = { indptr: [0], indices: [] };
  private readonly sentenceIndptr = [0];
  private readonly sentenceStarts: number[] = [];
  private readonly sentenceEnds: number[] = [];
  private readonly sentenceTokens: number[] = [];
  private readonly mentions: Rows = { indptr: [0], indices: [] };
  private readonly contains: Rows = { indptr: [0], indices: [] };
  private readonly containCounts: number[] = [];
  private readonly containDefines: number[] = [];

  /** @param analyzer has read the text */
  add({ text, title: given }: TitledText, analyzer: TextAnalyzer): void {
    const title = given?.trim() === "" ? undefined : given;
    const analysis = analyzeUntagged(analyzer, text);
    if (title !== undefined) this.addTerms(tokenize(analyzer, title));
    const mentioned = this.addSentences(analysis);
    this.addContained(mentioned, title === undefined ? openingEntity(analysis) : titleNames(title));
    this.tokens.indptr.push(this.tokens.indices.length);
    this.sentenceIndptr.push(this.sentenceStarts.length);
  }

  freeze(): TextArrays {
    const entityNames = packStrings(this.entities.strings);
    const termNames = packStrings(this.terms.strings);
    return {
      tokenIndptr: Uint32Array.from(this.tokens.indptr),
      tokens: Uint32Array.from(this.tokens.indices),
      sentenceIndptr: Uint32Array.from(this.sentenceIndptr),
      sentenceStarts: Uint32Array.from(this.sentenceStarts),
      sentenceEnds: Uint32Array.from(this.sentenceEnds),
      sentenceTokens: Uint32Array.from(this.sentenceTokens),
      mentionIndptr: Uint32Array.from(this.mentions.indptr),
      mentionEntities: Uint32Array.from(this.mentions.indices),
      containIndptr: Uint32Array.from(this.contains.indptr),
      containEntities: Uint32Array.from(this.contains.indices),
      containCounts: Uint32Array.from(this.containCounts),
      containDefines: Uint8Array.from(this.containDefines),
      entityKeys: this.entities.keys(),
      entityNameOffsets: entityNames.offsets,
      entityNameBytes: entityNames.bytes,
      termKeys: this.terms.keys(),
      termNameOffsets: termNames.offsets,
      termNameBytes: termNames.bytes,
    };
  }

  private addTerms(tokens: readonly TermSpan[]): void {
    for (const { term } of tokens) this.tokens.indices.push(this.terms.intern(term));
  }

  /** Returns the entity of each mention. */
  private addSentences({ sentences, tokens, mentions }: UntaggedAnalysis): number[] {
    const mentioned: number[] = [];
    let token = 0;
    for (const { start, end } of sentences) {
      this.sentenceStarts.push(start);
      this.sentenceEnds.push(end);
      this.sentenceTokens.push(this.tokens.indices.length);
      for (; token < tokens.length && tokens[token].start < end; token++) {
        this.tokens.indices.push(this.terms.intern(tokens[token].term));
      }
      const row = new Set<number>();
      while (mentioned.length < mentions.length && mentions[mentioned.length].start < end) {
        const entity = this.entities.intern(mentions[mentioned.length].name);
        mentioned.push(entity);
        row.add(entity);
      }
      for (const entity of row) this.mentions.indices.push(entity);
      this.mentions.indptr.push(this.mentions.indices.length);
    }
    return mentioned;
  }

  /** @param mentioned entities, as often as the text names them */
  private addContained(mentioned: readonly number[], defined: readonly string[]): void {
    const counts = new Map<number, number>();
    for (const entity of mentioned) counts.set(entity, (counts.get(entity) ?? 0) + 1);
    const definitions = new Set(defined.map((name) => this.entities.intern(name)));
    for (const entity of definitions) if (!counts.has(entity)) counts.set(entity, 0);
    for (const [entity, count] of counts) {
      this.contains.indices.push(entity);
      this.containCounts.push(count);
      this.containDefines.push(definitions.has(entity) ? 1 : 0);
    }
    this.contains.indptr.push(this.contains.indices.length);
  }
}

/** Without a title a passage defines the entity its first sentence opens with ("X is a …"). */
function openingEntity({ sentences, mentions }: UntaggedAnalysis): string[] {
  const [first] = mentions;
  return first !== undefined && first.start < sentences[0].end ? [first.name] : [];
}
