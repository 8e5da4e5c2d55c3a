import { nextTurn } from "./abort.js";
import { DEFAULT_K, type PresetName, type RankingOptions } from "./defaults.js";
import { unitVector } from "./dense/vectors.js";
import type { Directory } from "./directory/directory.js";
import { ClosedError, IndexError, InvalidArgumentError } from "./errors.js";
import { withMerged, withoutPassages, withSegment } from "./index/changes.js";
import { checkView } from "./index/check.js";
import { buildSegment, embedQuestion, isUnchanged, readBatches } from "./index/ingest.js";
import { TaskQueue } from "./index/queue.js";
import { holdsIndex, Store } from "./index/store.js";
import { dueForMerge, groupsToMerge } from "./index/tiers.js";
import { locate, View, type ViewPart } from "./index/view.js";
import { resolveRanking } from "./options.js";
import type { WeightedPassages } from "./pagerank/reset.js";
import { Explainer } from "./retrieve/evidence.js";
import { rank } from "./retrieve/rank.js";
import type { TextAnalyzer } from "./text/analyzer.js";
import { EnglishAnalyzer } from "./text/english-analyzer.js";
import type {
  CallOptions,
  CheckFinding,
  DeleteReport,
  Embedder,
  IndexStats,
  LongCallOptions,
  Passage,
  Prior,
  RetrievedPassage,
  RetrieveOptions,
  StoredPassage,
  UpsertReport,
} from "./types.js";
import {
  checkDirectory,
  checkId,
  checkK,
  checkOptions,
  checkQuestion,
  checkRetrieveOptions,
  show,
  toPredicate,
} from "./validate.js";

/** How an index reads texts and answers questions. */
export interface TriGraphOptions {
  /** Makes vectors of passages and questions. Without one words serve all stages. */
  readonly embedder?: Embedder | undefined;
  /** Finds sentences, words and entities. Default: `EnglishAnalyzer`. An index is opened with the one it was built with. */
  readonly analyzer?: TextAnalyzer | undefined;
  /** Named settings to start from. Default `"default"`. */
  readonly preset?: PresetName | undefined;
  /** Single settings that differ from the preset's. */
  readonly ranking?: Partial<RankingOptions> | undefined;
}

export interface OpenOptions extends TriGraphOptions {
  /** Make an empty index when the directory holds none. Default false: that is an error. */
  readonly create?: boolean | undefined;
  /** Take no lock: an index that others may write to. `upsert`, `delete` and `merge` are refused. Default false. */
  readonly readOnly?: boolean | undefined;
}

/**
 * A graph of passages, sentences and entities that answers questions whose evidence is spread over several
 * passages, without a language model (LinearRAG, arXiv 2510.10114).
 *
 * Writes queue and each is whole or not at all; a query sees one commit, whatever is written meanwhile.
 * Every method but `create` and `open` throws `ClosedError` after `close()`.
 */
export class TriGraph {
  private readonly analyzer: TextAnalyzer;
  private readonly embedder: Embedder | undefined;
  private readonly embedderId: string | null;
  private readonly ranking: RankingOptions;
  private readonly store: Store | undefined;
  private readonly writes = new TaskQueue();
  private view: View;
  /** Length of the vectors, 0 without; undefined while the index is empty and nothing decides. */
  private dimensions: number | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    method: string,
    options: TriGraphOptions,
    store: Store | undefined,
    loaded: { parts: readonly ViewPart[]; embedder: string | null; dimensions: number | undefined },
  ) {
    this.analyzer = options.analyzer ?? new EnglishAnalyzer();
    this.embedder = options.embedder;
    this.ranking = resolveRanking(method, options.preset ?? "default", options.ranking ?? {});
    this.store = store;
    this.view = new View(loaded.parts);
    this.dimensions = loaded.dimensions ?? options.embedder?.dimensions;
    this.embedderId = options.embedder?.id ?? loaded.embedder;
  }

  /** An empty index in memory. */
  static async create(options: TriGraphOptions = {}): Promise<TriGraph> {
    checkOptions("create", options);
    return new TriGraph("create", options, undefined, { parts: [], embedder: null, dimensions: undefined });
  }

  /**
   * The index that a directory holds. Every later upsert, delete and merge is durable when it resolves.
   *
   * @throws IndexError `NOT_FOUND` without an index there; `LOCKED` while another writer has it open;
   * `INDEX_MISMATCH` when it was built with another analyzer or embedder, or by a newer version;
   * `CORRUPT_INDEX` when what is stored cannot be trusted; `STORAGE` when the directory fails
   */
  static async open(directory: Directory, options: OpenOptions = {}): Promise<TriGraph> {
    checkOptions("open", options);
    checkDirectory("open", directory);
    // Looking first leaves no trace in a directory that was only mistyped.
    const isThere = options.create === true || (await holdsIndex(directory));
    if (!isThere) {
      throw new IndexError("NOT_FOUND", "open: the directory holds no index. Pass { create: true } to begin one.");
    }
    const store = options.readOnly === true ? Store.forReading(directory) : await Store.forWriting(directory);
    try {
      const loaded = await store.load();
      if (loaded === undefined) {
        return new TriGraph("open", options, store, { parts: [], embedder: null, dimensions: undefined });
      }
      const { manifest, parts } = loaded;
      checkIdentity(options.analyzer ?? new EnglishAnalyzer(), options.embedder, manifest);
      const dimensions = parts.length === 0 ? undefined : manifest.dimensions;
      return new TriGraph("open", options, store, { parts, embedder: manifest.embedder, dimensions });
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Number of passages. */
  get size(): number {
    return this.view.passageCount;
  }

  /**
   * Adds passages, or replaces those whose ids exist. Passages that are there already, word for word, stay as
   * they are. All or none: when it rejects, nothing was changed. Linear in the text.
   *
   * @throws InvalidArgumentError on a passage that is not as `Passage` says, EmbeddingError, IndexError
   * `STORAGE`, the signal's reason, or what the iterable throws
   */
  upsert(passages: Iterable<Passage> | AsyncIterable<Passage>, options: LongCallOptions = {}): Promise<UpsertReport> {
    return this.write("upsert", options.signal, async () => {
      const { signal, onProgress } = options;
      const before = this.view.parts;
      let parts: readonly ViewPart[] = before;
      let dimensions = this.dimensions;
      const seen = new Set<string>();
      const changed = new Set<string>();
      const duplicates = new Set<string>();
      const source = { embedder: this.embedder, dimensions };
      let done = 0;
      for await (const batch of readBatches("upsert", passages, seen, source, signal)) {
        for (const id of batch.duplicates) duplicates.add(id);
        const current = parts;
        const news = [...batch.passages.values()].filter((passage) => !isUnchanged(current, passage));
        if (news.length === 0) continue;
        dimensions ??= news[0].vector?.length ?? 0;
        const segment = await buildSegment("upsert", news, this.analyzer, this.embedder, dimensions, {
          signal,
          onProgress:
            onProgress && ((progress) => onProgress({ ...progress, done: done + progress.done, total: undefined })),
        });
        done += news.length;
        for (const { id } of news) changed.add(id);
        parts = await this.mergeDue(withSegment(parts, segment), options);
      }
      signal?.throwIfAborted();
      const replaced = [...changed].filter((id) => locate(before, id) !== undefined).length;
      if (parts !== before) await this.commit(parts, dimensions, options);
      return {
        added: changed.size - replaced,
        replaced,
        unchanged: seen.size - changed.size,
        duplicates: [...duplicates],
      };
    });
  }

  /** Removes passages. Ids that the index does not hold are reported, not an error. Exact: nothing of them remains in any statistic. */
  async delete(ids: Iterable<string>, options: CallOptions = {}): Promise<DeleteReport> {
    const wanted = readIds(ids);
    return this.write("delete", options.signal, async () => {
      const { parts } = this.view;
      const present: string[] = [];
      const missing: string[] = [];
      for (const id of wanted) (locate(parts, id) === undefined ? missing : present).push(id);
      if (present.length > 0) {
        const remaining = await this.mergeDue(withoutPassages(parts, present), options);
        await this.commit(remaining, this.dimensions, options);
      }
      return { deleted: present.length, missing };
    });
  }

  /** Brings the index to as few segments as possible and drops what is dead. Answers stay the same; they come faster. */
  merge(options: LongCallOptions = {}): Promise<void> {
    return this.write("merge", options.signal, async () => {
      let parts: readonly ViewPart[] = this.view.parts;
      const groups = groupsToMerge(parts);
      for (const [i, group] of groups.entries()) {
        await nextTurn();
        options.signal?.throwIfAborted();
        parts = withMerged(parts, group);
        options.onProgress?.({ phase: "merge", done: i + 1, total: groups.length });
      }
      if (groups.length > 0) await this.commit(parts, this.dimensions, options);
    });
  }

  /**
   * The passages that answer the question, best first: always min(k, passages that pass the filter) of them,
   * ordered by score and then by id.
   *
   * @throws InvalidArgumentError on a question, k, filter, vector or prior that is not as documented,
   * EmbeddingError, or the signal's reason
   */
  async retrieve(question: string, options: RetrieveOptions = {}): Promise<RetrievedPassage[]> {
    this.assertOpen("retrieve");
    checkQuestion("retrieve", question);
    checkRetrieveOptions("retrieve", options);
    const { k = DEFAULT_K, signal, explain = false } = options;
    checkK("retrieve", k);
    const filter = toPredicate("retrieve", options.filter);
    signal?.throwIfAborted();
    const { view } = this;
    const begun = performance.now();
    const vector = await this.questionVector(question, options);
    const priors = readPriors(view, options.priors ?? [], filter);
    const ranking = await rank(view, this.analyzer, this.ranking, {
      question,
      vector,
      k,
      filter,
      priors,
      signal,
      embedMilliseconds: performance.now() - begun,
    });
    signal?.throwIfAborted();
    const explainer = explain ? new Explainer(view, this.analyzer, ranking, priors) : undefined;
    const hits: RetrievedPassage[] = [];
    for (const { number, score } of ranking.hits) {
      const hit = { passage: view.passage(number), score, rank: hits.length + 1 };
      hits.push(explainer === undefined ? hit : { ...hit, evidence: await explainer.explain(number) });
      signal?.throwIfAborted();
    }
    options.onTrace?.(ranking.trace);
    return hits;
  }

  /** The passage with this id, or undefined. */
  get(id: string): StoredPassage | undefined {
    this.assertOpen("get");
    checkId("get", id);
    const number = this.view.findPassage(id);
    return number < 0 ? undefined : this.view.passage(number);
  }

  /** Sizes. Counts entities and terms that are alive: linear in their number. */
  stats(): IndexStats {
    this.assertOpen("stats");
    const { view } = this;
    return {
      passages: view.passageCount,
      sentences: view.sentenceCount,
      entities: view.countEntities(),
      terms: view.countTerms(),
      tokens: view.tokenCount,
      segments: view.parts.length,
      deadPassages: view.parts.reduce((sum, { liveness }) => sum + liveness.dead.passages, 0),
      bytes: view.parts.reduce((sum, { segment }) => sum + segment.bytes, 0),
      dimensions: this.dimensions ?? 0,
      collisions: view.collisions(),
    };
  }

  /** Verifies everything stored against everything else and against the texts; empty when all is well. As slow as building. */
  async check(options: LongCallOptions = {}): Promise<CheckFinding[]> {
    this.assertOpen("check");
    const inMemory = await checkView(this.view, this.analyzer, options);
    return [...inMemory, ...((await this.store?.verify(options)) ?? [])];
  }

  /** Copies the index into a directory, replacing one that is there. @throws IndexError `LOCKED`, `STORAGE` */
  async save(directory: Directory, options: CallOptions = {}): Promise<void> {
    this.assertOpen("save");
    checkDirectory("save", directory);
    options.signal?.throwIfAborted();
    // Taken together, before anything is awaited: a write meanwhile changes both.
    const { view } = this;
    const identity = this.identity(this.dimensions);
    if (directory === this.store?.directory) return this.writes.idle();
    const store = await Store.forWriting(directory);
    try {
      await store.commit(view.parts, identity);
    } finally {
      await store.close();
    }
  }

  /** Ends all queued writes, then gives up the directory. Calling it again does nothing. */
  close(): Promise<void> {
    this.closing ??= (async () => {
      await this.writes.idle();
      await this.store?.close();
      this.view = new View([]);
    })();
    return this.closing;
  }

  private async write<T>(method: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    this.assertWritable(method);
    return this.writes.run(async () => {
      signal?.throwIfAborted();
      return task();
    }, signal);
  }

  private async mergeDue(parts: readonly ViewPart[], { signal }: CallOptions): Promise<readonly ViewPart[]> {
    let merged = parts;
    for (let group = dueForMerge(merged); group !== undefined; group = dueForMerge(merged)) {
      await nextTurn();
      signal?.throwIfAborted();
      merged = withMerged(merged, group);
    }
    return merged;
  }

  private async commit(
    parts: readonly ViewPart[],
    dimensions: number | undefined,
    { onProgress }: LongCallOptions,
  ): Promise<void> {
    if (this.store !== undefined) {
      await this.store.commit(parts, this.identity(dimensions));
      onProgress?.({ phase: "write", done: parts.length, total: parts.length });
    }
    this.view = new View(parts);
    // An index that has become empty may begin again with other vectors.
    this.dimensions = this.view.passageCount === 0 ? this.embedder?.dimensions : dimensions;
  }

  private identity(dimensions: number | undefined) {
    return { analyzer: this.analyzer.id, embedder: this.embedderId, dimensions: dimensions ?? 0 };
  }

  private async questionVector(
    question: string,
    { vector, signal }: RetrieveOptions,
  ): Promise<Float32Array | undefined> {
    const { similarity } = this.ranking;
    if (vector !== undefined) {
      // While nothing decides the length every vector will do.
      if (this.dimensions === undefined) return undefined;
      if (this.dimensions === 0) {
        throw new InvalidArgumentError("retrieve: expected no vector, since the index's passages have none.");
      }
      return unitVector(vector, this.dimensions, "retrieve: vector");
    }
    if (this.embedder !== undefined && similarity !== "lexical") {
      return embedQuestion("retrieve", this.embedder, question, signal);
    }
    if (similarity === "dense" || similarity === "hybrid") {
      throw new InvalidArgumentError(
        `retrieve: expected a vector or an embedder, since similarity is ${show(similarity)}, got neither.`,
      );
    }
    return undefined;
  }

  private assertWritable(method: string): void {
    this.assertOpen(method);
    if (this.store !== undefined && !this.store.isWritable) {
      throw new InvalidArgumentError(`${method}: expected an index open for writing, got one opened with readOnly.`);
    }
  }

  private assertOpen(method: string): void {
    if (this.closing !== undefined)
      throw new ClosedError(`${method}: the index was closed. Create or open another one.`);
  }
}

function checkIdentity(
  analyzer: TextAnalyzer,
  embedder: Embedder | undefined,
  manifest: { analyzer: string; embedder: string | null; dimensions: number; segments: readonly unknown[] },
): void {
  if (analyzer.id !== manifest.analyzer) {
    throw new IndexError(
      "INDEX_MISMATCH",
      `open: the index was built with the analyzer ${show(manifest.analyzer)}, got ${show(analyzer.id)}. Open it with that one, or build it anew.`,
    );
  }
  if (embedder === undefined || manifest.segments.length === 0) return;
  if (embedder.id !== manifest.embedder || embedder.dimensions !== manifest.dimensions) {
    const built =
      manifest.embedder === null
        ? "without an embedder"
        : `with the embedder ${show(manifest.embedder)} of ${manifest.dimensions} dimensions`;
    throw new IndexError(
      "INDEX_MISMATCH",
      `open: the index was built ${built}, got ${show(embedder.id)} of ${embedder.dimensions}. Vectors of two models cannot be compared: open it with that one, or build it anew.`,
    );
  }
}

function readIds(ids: unknown): string[] {
  if (typeof ids === "string" || typeof ids !== "object" || ids === null || !(Symbol.iterator in ids)) {
    throw new InvalidArgumentError(`delete: expected an iterable of ids, got ${show(ids)}.`);
  }
  const read = new Set<string>();
  for (const id of ids as Iterable<unknown>) {
    checkId("delete", id);
    read.add(id);
  }
  return [...read];
}

/** The priors that the query may see, scaled so that the greatest is 1. */
function readPriors(
  view: View,
  priors: readonly Prior[],
  filter: ((passage: StoredPassage) => boolean) | undefined,
): WeightedPassages {
  if (!Array.isArray(priors)) {
    throw new InvalidArgumentError(`retrieve: expected priors to be an array of { id, score }, got ${show(priors)}.`);
  }
  const weights = new Map<number, number>();
  for (const prior of priors as readonly (Prior | null | undefined)[]) {
    if (typeof prior !== "object" || prior === null) {
      throw new InvalidArgumentError(`retrieve: expected priors { id, score }, got ${show(prior)}.`);
    }
    const { id, score } = prior;
    checkId("retrieve: prior", id);
    if (!(score > 0 && Number.isFinite(score))) {
      throw new InvalidArgumentError(
        `retrieve: expected the prior of ${show(id)} to be greater than 0, got ${show(score)}.`,
      );
    }
    const number = view.findPassage(id);
    if (number < 0 || filter?.(view.passage(number)) === false) continue;
    weights.set(number, Math.max(score, weights.get(number) ?? 0));
  }
  const greatest = Math.max(...weights.values());
  // In an order that storage does not change.
  const numbers = [...weights.keys()].sort((a, b) => view.comparePassages(a, b));
  return {
    passages: { ids: Float64Array.from(numbers), length: numbers.length },
    weights: numbers.map((number) => weights.get(number)! / greatest),
  };
}
