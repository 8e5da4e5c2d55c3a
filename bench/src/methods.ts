import { EnglishAnalyzer, TriGraph, type Passage, type TriGraphOptions } from "@trigraph/core";
import { Bm25, VARIANTS, type Bm25Options } from "@trigraph/evaluation";

/** A way to rank passages, as the quality benchmark compares them. */
export interface Method {
  readonly name: string;
  build(passages: readonly Passage[]): Promise<Searcher>;
}

export interface Searcher {
  /** Ids of at most k passages, the best first. */
  search(question: string, k: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const bm25 = independentBm25("BM25", {});

const analyzer = new EnglishAnalyzer();

/** Two implementations of one formula: they may differ by the order of equal scores. */
export const sameWords: readonly Method[] = [
  independentBm25("BM25 of trigraph's words", {
    tokenize: (text) => analyzer.tokenize(text).map(({ term }) => term),
  }),
  withOptions("trigraph, BM25 alone", VARIANTS.words.options),
];

/** The index with nothing but its defaults. Its weights were fitted to these questions: DESIGN.md has cross-validated figures. */
export const trigraph: Method = withOptions("trigraph", {});

export const withoutFusion: Method = withOptions("trigraph, stages 1 and 2", { ranking: { fusion: "none" } });

/** What the stages contribute, and what the paper's own settings reach. */
export const ablations: readonly Method[] = [
  withOptions("without entity activation", VARIANTS["no-activation"].options),
  withOptions("without global importance", VARIANTS["no-pagerank"].options),
  withOptions("paper, 2Wiki's settings", VARIANTS.paper.options),
  withOptions("paper, MuSiQue's settings", VARIANTS["paper-musique"].options),
];

/** As trigraph counts them: once. */
function distinct(words: readonly string[]): string {
  return [...new Set(words)].join(" ");
}

function independentBm25(name: string, options: Bm25Options): Method {
  return {
    name,
    async build(passages) {
      const engine = Bm25.over(passages, options)!;
      return {
        search: async (question, k) =>
          engine.search(options.tokenize === undefined ? question : distinct(options.tokenize(question)), k),
        close: async () => {},
      };
    },
  };
}

function withOptions(name: string, options: TriGraphOptions): Method {
  return {
    name,
    async build(passages) {
      const index = await TriGraph.create(options);
      await index.upsert(passages);
      return {
        search: async (question, k) => (await index.retrieve(question, { k })).map(({ passage }) => passage.id),
        close: () => index.close(),
      };
    },
  };
}
