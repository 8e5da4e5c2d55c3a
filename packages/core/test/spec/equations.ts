/**
 * LinearRAG's equations (arXiv 2510.10114) over small dense matrices: what the kernels must equal. Written
 * from the equations and from the departures that the kernels document, slowly and plainly.
 *
 * Passages, sentences and entities are numbered from 0, sentences through all passages. A vector is an
 * array, a matrix an array of rows.
 */
import { add, diag, dotMultiply, lusolve, multiply, subtract, transpose } from "mathjs";

/** What the equations need to know of a text. */
export interface SpecSentence {
  /** Entities, each as often as the sentence names it. */
  readonly entities: readonly number[];
  /** σ, its similarity to the question (equation 4). */
  readonly sigma: number;
  /** The words of the question that it covers, as bits. */
  readonly words: number;
}

/** σ of a sentence to the words that are still open: the part of its own that it covers of them. */
export function sigmaTo({ sigma, words }: Pick<SpecSentence, "sigma" | "words">, open: number): number {
  const size = (set: number) => [...set.toString(2)].filter((bit) => bit === "1").length;
  return words === 0 ? sigma : (sigma * size(words & open)) / size(words);
}

export interface SpecPassage {
  readonly sentences: readonly SpecSentence[];
  /** Entities that the passage defines, whether its text names them or not. */
  readonly defines: readonly number[];
  /** Counted in all statistics, but not to be read or ranked by this question. */
  readonly hidden: boolean;
}

export interface SpecCorpus {
  /** Number of entities. */
  readonly entities: number;
  readonly passages: readonly SpecPassage[];
}

type Matrix = number[][];

// ---- Offline: the Tri-Graph

/** M, the mention matrix (2): M_ij = 1 where sentence i names entity j. */
export function mentionMatrix({ entities, passages }: SpecCorpus): Matrix {
  return passages.flatMap(({ sentences }) =>
    sentences.map((sentence) => vector(entities, (e) => indicator(sentence.entities.includes(e)))),
  );
}

/** N, the occurrences: N_ij, how often the text of passage i names entity j. */
function occurrences({ entities, passages }: SpecCorpus): Matrix {
  return passages.map(({ sentences }) =>
    vector(entities, (e) => sentences.flatMap((sentence) => sentence.entities).filter((named) => named === e).length),
  );
}

/** 1 where passage i defines entity j. */
function definitionMatrix({ entities, passages }: SpecCorpus): Matrix {
  return passages.map(({ defines }) => vector(entities, (e) => indicator(defines.includes(e))));
}

/** C, the contain matrix (1): C_ij = 1 where passage i names or defines entity j. */
export function containMatrix(corpus: SpecCorpus): Matrix {
  const N = occurrences(corpus);
  const defines = definitionMatrix(corpus);
  return N.map((row, p) => row.map((count, e) => indicator(count > 0 || defines[p][e] === 1)));
}

/** Whether the question may see each passage: 1 or 0. */
export function visibility({ passages }: SpecCorpus): number[] {
  return passages.map(({ hidden }) => indicator(!hidden));
}

/** n: the passages that contain each entity, hidden ones too. */
export function passageCounts(corpus: SpecCorpus): number[] {
  return columnSums(containMatrix(corpus), corpus.entities);
}

/** The passage of each sentence. */
function passageOfSentence({ passages }: SpecCorpus): number[] {
  return passages.flatMap(({ sentences }, p) => sentences.map(() => p));
}

/**
 * Mentions that an edge counts as: N, and where the passage defines the entity a definition's weight, shared
 * among all passages that define it.
 */
function edgeMasses(corpus: SpecCorpus, definitionWeight: number): Matrix {
  const N = occurrences(corpus);
  const defines = definitionMatrix(corpus);
  const definitions = columnSums(defines, corpus.entities);
  return N.map((row, p) =>
    row.map((count, e) => (defines[p][e] === 1 ? count + definitionWeight / definitions[e] : count)),
  );
}

/** w, the edge weights: the mass over the passage's mentions and definitions; none of hidden passages. */
function edgeWeights(corpus: SpecCorpus, definitionWeight: number): Matrix {
  const N = occurrences(corpus);
  const defines = definitionMatrix(corpus);
  const visible = visibility(corpus);
  return edgeMasses(corpus, definitionWeight).map((row, p) => {
    const all = total(N[p]) + definitionWeight * total(defines[p]);
    return row.map((mass) => (visible[p] === 0 || mass === 0 ? 0 : mass / all));
  });
}

// ---- Stage 1: entity activation

export interface SpecHubs {
  /** An entity that more passages contain passes activation on, and counts in (7), within candidates only. */
  readonly hubDegree: number;
  /** The passages most similar to the question. */
  readonly candidates: readonly number[];
}

export interface SpecActivationOptions extends SpecHubs {
  readonly propagation: "max" | "top-sentences";
  readonly hops: number;
  /** δ */
  readonly activationThreshold: number;
  readonly sentencesPerEntity: number;
  readonly sentenceWords: "open" | "all";
}

export interface SpecActivation {
  /** a; 0 where an entity is not activated. */
  readonly a: readonly number[];
  /** L, the hop at which each entity was first activated, seeds in the first; 0 where it was not. */
  readonly levels: readonly number[];
  /** The greatest single contribution in that hop; 0 for seeds. */
  readonly strongest: readonly number[];
}

/** (5), with its pruning, from the seeds' activation a⁰ (3). */
export function activateSpec(
  corpus: SpecCorpus,
  seeds: readonly number[],
  options: SpecActivationOptions,
): SpecActivation {
  return options.propagation === "max"
    ? activateByMax(corpus, seeds, options)
    : activateByTopSentences(corpus, seeds, options);
}

/** M as it passes activation from entities to sentences: not from hidden sentences, nor from hubs outside candidates. */
function readableMentions(corpus: SpecCorpus, { hubDegree, candidates }: SpecHubs): Matrix {
  const visible = visibility(corpus);
  const n = passageCounts(corpus);
  const passage = passageOfSentence(corpus);
  return mentionMatrix(corpus).map((row, s) =>
    row.map((mentioned, e) => {
      const isRead = n[e] <= hubDegree || candidates.includes(passage[s]);
      return visible[passage[s]] === 1 && isRead ? mentioned : 0;
    }),
  );
}

function allSentences({ passages }: SpecCorpus): SpecSentence[] {
  return passages.flatMap(({ sentences }) => sentences);
}

/** a^t = MAX(Mᵀ(σ ⊙ (M a^{t-1})), a^{t-1}), a new entity only above δ, until a hop brings none. */
function activateByMax(corpus: SpecCorpus, seeds: readonly number[], options: SpecActivationOptions): SpecActivation {
  const M = mentionMatrix(corpus);
  const readable = readableMentions(corpus, options);
  const sigma = allSentences(corpus).map((sentence) => sentence.sigma);
  let a = [...seeds];
  const levels = seeds.map(indicator);
  const strongest = seeds.map(() => 0);
  for (let hop = 2; hop <= options.hops; hop++) {
    const passed = dotMultiply(sigma, times(readable, a));
    const gained = times(transposed(M, corpus.entities), passed);
    const isNew = gained.map((gain, e) => levels[e] === 0 && gain > options.activationThreshold);
    a = a.map((old, e) => (levels[e] > 0 || isNew[e] ? Math.max(gained[e], old) : 0));
    isNew.forEach((reached, e) => {
      if (!reached) return;
      levels[e] = hop;
      strongest[e] = Math.max(...M.map((row, s) => row[e] * passed[s]));
    });
    if (!isNew.includes(true)) break;
  }
  return { a, levels, strongest };
}

/**
 * The mode of the published implementation: in the hop after its own, an entity passes a · σ on through its
 * `sentencesPerEntity` most relevant sentences that no earlier hop used, the earlier sentence first among equals.
 * What is below δ is dropped, nothing goes back to where it came from, and contributions add up. With `"open"` words,
 * those that a sentence covers are not open for the entities that it activates; of equally strong sentences, for each.
 */
function activateByTopSentences(
  corpus: SpecCorpus,
  seeds: readonly number[],
  options: SpecActivationOptions,
): SpecActivation {
  const M = mentionMatrix(corpus);
  const readable = readableMentions(corpus, options);
  const sentences = allSentences(corpus);
  const a = [...seeds];
  const levels = seeds.map(indicator);
  const strongest = seeds.map(() => 0);
  /** All words are open for a seed. */
  const open = seeds.map(() => ~0);
  const used = new Set<number>();
  for (let hop = 2; hop <= options.hops; hop++) {
    const senders = a.map((_, e) => e).filter((e) => levels[e] === hop - 1);
    const chosen = senders.flatMap((from) =>
      sentences
        .map((given, sentence) => ({ from, sentence, relevance: sigmaTo(given, open[from]) }))
        .filter(({ sentence, relevance }) => readable[sentence][from] === 1 && relevance > 0 && !used.has(sentence))
        .sort((x, y) => y.relevance - x.relevance || x.sentence - y.sentence)
        .slice(0, options.sentencesPerEntity),
    );
    for (const { sentence } of chosen) used.add(sentence);
    const contributions = chosen
      .map(({ from, sentence, relevance }) => ({ from, sentence, amount: a[from] * relevance }))
      .filter(({ amount }) => amount >= options.activationThreshold);
    for (const { from, sentence, amount } of contributions) {
      const left = options.sentenceWords === "all" ? ~0 : open[from] & ~sentences[sentence].words;
      for (let e = 0; e < corpus.entities; e++) {
        if (M[sentence][e] === 0 || e === from) continue;
        if (levels[e] === 0) levels[e] = hop;
        if (levels[e] === hop && amount >= strongest[e]) {
          open[e] = amount > strongest[e] ? left : open[e] & left;
          strongest[e] = amount;
        }
        a[e] += amount;
      }
    }
  }
  return { a, levels, strongest };
}

// ---- Stage 2: reset and PageRank

export interface SpecResetOptions extends SpecHubs {
  /** λ */
  readonly similarityWeight: number;
  /** W_p */
  readonly passageWeight: number;
  /** s */
  readonly specificity: number;
  readonly definitionWeight: number;
  readonly priorShare: number;
}

export interface SpecReset {
  readonly passages: readonly number[];
  readonly entities: readonly number[];
}

/**
 * (7), with entities divided by n^s: r(e) = a_e / n_e^s and
 * r(p) = (λ sim(q, p) + ln(1 + Σ_e a_e / n_e^s · ln(1 + N_pe) / L_e)) · W_p,
 * a definition counting in N as the edge has it; then scaled to 1 together with the priors.
 *
 * @param similarity sim(q, p), 0 outside the candidates
 * @param priors weights of passages that another retriever found
 */
export function resetSpec(
  corpus: SpecCorpus,
  { a, levels }: SpecActivation,
  similarity: readonly number[],
  priors: readonly number[],
  options: SpecResetOptions,
): SpecReset {
  const n = passageCounts(corpus);
  const visible = visibility(corpus);
  const masses = edgeMasses(corpus, options.definitionWeight);
  const entities = a.map((activation, e) => (activation === 0 ? 0 : activation / n[e] ** options.specificity));
  const passages = corpus.passages.map((_, p) => {
    if (visible[p] === 0) return 0;
    const terms = entities.map((r, e) => {
      const counts = n[e] <= options.hubDegree || options.candidates.includes(p);
      return levels[e] === 0 || !counts ? 0 : (r * Math.log(1 + masses[p][e])) / levels[e];
    });
    return (options.similarityWeight * similarity[p] + Math.log(1 + total(terms))) * options.passageWeight;
  });
  const own = total(entities) + total(passages);
  const given = total(priors);
  const share = given === 0 ? 0 : own === 0 ? 1 : options.priorShare;
  const scale = own === 0 ? 0 : (1 - share) / own;
  return {
    entities: entities.map((r) => r * scale),
    passages: passages.map((r, p) => r * scale + (given === 0 ? 0 : (priors[p] / given) * share)),
  };
}

export interface SpecRank {
  readonly passages: readonly number[];
  readonly entities: readonly number[];
  /** D, the weighted degrees. */
  readonly passageDegrees: readonly number[];
  readonly entityDegrees: readonly number[];
}

/** (6) as a linear system: (1 − d P) I = (1 − d) r, P the weights over the degree of the node they leave. */
export function pageRankSpec(
  corpus: SpecCorpus,
  reset: SpecReset,
  damping: number,
  definitionWeight: number,
): SpecRank {
  const w = edgeWeights(corpus, definitionWeight);
  const passages = corpus.passages.length;
  const size = passages + corpus.entities;
  const W = Array.from({ length: size }, (_, v) =>
    vector(size, (u) => {
      if (v < passages && u >= passages) return w[v][u - passages];
      if (v >= passages && u < passages) return w[u][v - passages];
      return 0;
    }),
  );
  const degrees = W.map(total);
  const P = multiply(W, diagonal(degrees.map((degree) => (degree === 0 ? 0 : 1 / degree))));
  const r = [...reset.passages, ...reset.entities];
  const I = solve(
    subtract(
      diagonal(vector(size, () => 1)),
      P.map((row) => row.map((p) => p * damping)),
    ),
    r.map((mass) => mass * (1 - damping)),
  );
  return {
    passages: I.slice(0, passages),
    entities: I.slice(passages),
    passageDegrees: degrees.slice(0, passages),
    entityDegrees: degrees.slice(passages),
  };
}

// ---- Linear algebra with the types that are meant

function vector(length: number, at: (index: number) => number): number[] {
  return Array.from({ length }, (_, i) => at(i));
}

function indicator(holds: boolean | number): number {
  return holds ? 1 : 0;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function columnSums(matrix: Matrix, columns: number): number[] {
  return matrix.reduce(
    (sums, row) => add(sums, row),
    vector(columns, () => 0),
  );
}

/** mathjs has no matrix without rows. */
function times(matrix: Matrix, x: number[]): number[] {
  return matrix.length === 0 || x.length === 0 ? matrix.map(() => 0) : multiply(matrix, x);
}

function transposed(matrix: Matrix, columns: number): Matrix {
  return matrix.length === 0 ? Array.from({ length: columns }, () => []) : transpose(matrix);
}

function diagonal(values: number[]): Matrix {
  return diag(values) as unknown as Matrix;
}

function solve(A: Matrix, b: number[]): number[] {
  return (lusolve(A, b) as Matrix).map(([x]) => x);
}
