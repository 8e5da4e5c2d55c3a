import { abortable } from "./abort.js";
import {
  DEFAULT_K,
  DEFAULT_RANKING,
  DEFAULT_VECTOR_PRECISION,
  type PresetName,
  type RankingOptions,
} from "./defaults.js";
import { VectorQuery } from "./dense/vector-query.js";
import { bestByVector } from "./dense/scan.js";
import { type VectorIndexer, VectorIndexes } from "./dense/vector-index.js";
import { unitVector } from "./dense/vectors.js";
import type { Directory } from "./directory/directory.js";
import { ClosedError, IndexError, InvalidArgumentError } from "./errors.js";
import { withoutPassages, withSegment } from "./index/changes.js";
import { checkView } from "./index/check.js";
import { walkEntities, walkPassages } from "./index/graph-walk.js";
import { reembedded } from "./index/reembed.js";
import { checkIdentity, type IndexIdentity } from "./index/identity.js";
import { embedQuestion, isUnchanged, loadEmbedder } from "./index/ingest.js";
import { Ingestion } from "./index/ingestion.js";
import type { Manifest } from "./index/manifest.js";
import { Merger } from "./index/merger.js";
import { TaskQueue } from "./index/queue.js";
import { holdsIndex, Store } from "./index/store.js";
import { locate, View, type ViewPart } from "./index/view.js";
import { Visibility } from "./index/visibility.js";
import { inTurns } from "./steps.js";
import { changedRanking, resolveRanking } from "./options.js";
import { withinBudget } from "./retrieve/budget.js";
import { Explainer } from "./retrieve/evidence.js";
import { NO_PRIORS, readPriors } from "./retrieve/priors.js";
import { rank } from "./retrieve/rank.js";
import { type RankedPassage, toRanked } from "./retrieve/ranked.js";
import { type Analyzer, analyzeUntagged, type EntityMention, readTexts } from "./text/analyzer.js";
import { EnglishAnalyzer } from "./text/english-analyzer.js";
import type {
  CallOptions,
  CandidateOptions,
  CandidatePool,
  CheckFinding,
  DeleteReport,
  Embedder,
  GraphEntity,
  GraphPassage,
  IndexStats,
  LongCallOptions,
  NearestOptions,
  Passage,
  RetrievedPassage,
  ReembedOptions,
  RetrieveOptions,
  StoredPassage,
  UpsertOptions,
  UpsertReport,
  VectorPrecision,
} from "./types.js";
import {
  checkCallOptions,
  checkDirectory,
  checkId,
  checkK,
  checkNearestOptions,
  checkOptions,
  checkQuestion,
  checkRetrieveOptions,
  checkUpsertOptions,
  readIds,
  show,
  toPredicate,
} from "./validate.js";

/** How an index reads texts and answers questions. */
export interface TriGraphOptions {
  /** Makes vectors of passages and questions. Without one words serve all stages. */
  readonly embedder?: Embedder | undefined;
  /** Finds sentences, words and entities. Default: `EnglishAnalyzer`. An index is opened with the one it was built with. */
  readonly analyzer?: Analyzer | undefined;
  /**
   * What is kept of each number of a vector. An index stays as it was begun. `"int8"` takes a quarter of the memory and is
   * searched some five times faster; DESIGN.md has what it costs. Default `"float32"`.
   */
  readonly vectorPrecision?: VectorPrecision | undefined;
  /**
   * Searches the vectors of large segments without comparing all: faster from some hundred thousand passages on, and not
   * exact. It is no property of the index: another one may be given each time. `UsearchIndexer` of `@trigraph/core/node`
   * is one. Default: none, and vectors are compared exactly.
   */
  readonly vectorIndexer?: VectorIndexer | undefined;
  /** Named settings to start from. Default `"default"`. */
  readonly preset?: PresetName | undefined;
  /** Single settings that differ from the preset's. */
  readonly ranking?: Partial<RankingOptions> | undefined;
}

export interface OpenOptions extends TriGraphOptions, LongCallOptions {
  /** Make an empty index when the directory holds none. Default false: that is an error. */
  readonly create?: boolean | undefined;
  /**
   * Take no lock: an index that others may write to. Writing is refused, and `refresh` takes up what they have committed.
   * Default false.
   */
  readonly readOnly?: boolean | undefined;
}

/** Where vectors come from and how they are kept. */
interface VectorMeans {
  readonly embedder: Embedder | undefined;
  /** Of the embedder that made the vectors, which may be missing; null without. */
  readonly embedderId: string | null;
  /** 0 without vectors; undefined while the index is empty and nothing decides. */
  readonly dimensions: number | undefined;
  readonly precision: VectorPrecision;
}

/** What an index begins with. */
interface LoadedIndex {
  readonly parts: readonly ViewPart[];
  readonly embedder: string | null;
  readonly dimensions: number | undefined;
  readonly precision: VectorPrecision | undefined;
}

const NOTHING: LoadedIndex = { parts: [], embedder: null, dimensions: undefined, precision: undefined };

/**
 * A graph of passages, sentences and entities that answers questions whose evidence is spread over several
 * passages, without a language model (LinearRAG, arXiv 2510.10114).
 *
 * Writes queue and each is whole or not at all; a query sees one commit, whatever is written meanwhile. Of an index in a
 * directory every write throws `IndexError` `CONFLICT`, having changed nothing, once another process has written there
 * all the same, as when both have taken over a lock; queries are still answered.
 * Every method but `create` and `open` throws `ClosedError` after `close()`.
 */
export class TriGraph {
  private readonly analyzer: Analyzer;
  private readonly ranking: RankingOptions;
  private readonly store: Store | undefined;
  private readonly vectorIndexes: VectorIndexes | undefined;
  private readonly writes = new TaskQueue();
  private readonly merger: Merger;
  private view: View;
  /** Changes with the view, at once. */
  private vectors: VectorMeans;
  /** Of an index that begins. */
  private readonly firstPrecision: VectorPrecision;
  private committed = 0;
  private closing: Promise<void> | undefined;

  private constructor(method: string, options: TriGraphOptions, store: Store | undefined, loaded: LoadedIndex) {
    this.analyzer = options.analyzer ?? new EnglishAnalyzer();
    this.ranking = resolveRanking(method, options.preset ?? "default", options.ranking ?? {});
    this.store = store;
    this.vectorIndexes = options.vectorIndexer && new VectorIndexes(options.vectorIndexer);
    this.view = new View(loaded.parts, this.vectorIndexes);
    this.firstPrecision = options.vectorPrecision ?? DEFAULT_VECTOR_PRECISION;
    this.vectors = this.meansOf(options.embedder, loaded);
    this.merger = new Merger({
      store,
      vectorIndexes: this.vectorIndexes,
      parts: () => this.view.parts,
      commit: (change) =>
        this.writes.run(async () => {
          const parts = await change(this.view.parts);
          if (parts !== undefined) await this.show("merge", parts, this.vectors, {});
        }, undefined),
    });
  }

  /** An empty index in memory. @throws InvalidArgumentError; EmbeddingError when the embedder does not load */
  static async create(options: TriGraphOptions = {}): Promise<TriGraph> {
    checkOptions("create", options);
    await loadEmbedder("create", options.embedder);
    return new TriGraph("create", options, undefined, NOTHING);
  }

  /**
   * The index that a directory holds. Every later upsert, delete and merge is durable when it resolves.
   *
   * @throws IndexError `NOT_FOUND` without an index there; `LOCKED` while another writer has it open;
   * `INDEX_MISMATCH` when it was built with another analyzer or embedder, or by a newer version (without an embedder
   * it opens, and answers by words unless each question brings its vector);
   * `CORRUPT_INDEX` when what is stored cannot be trusted; `STORAGE` when the directory fails; EmbeddingError when the
   * embedder does not load; the signal's reason
   */
  static async open(directory: Directory, options: OpenOptions = {}): Promise<TriGraph> {
    checkOptions("open", options, ["create", "readOnly", "signal", "onProgress"]);
    checkDirectory("open", directory);
    const { signal } = options;
    signal?.throwIfAborted();
    // Looking first leaves no trace in a directory that was only mistyped.
    const isThere = options.create === true || (await holdsIndex(directory));
    if (!isThere) {
      throw new IndexError("NOT_FOUND", "open: the directory holds no index. Pass { create: true } to begin one.");
    }
    await abortable(loadEmbedder("open", options.embedder), signal);
    const store = options.readOnly === true ? Store.forReading(directory) : await Store.forWriting("open", directory);
    try {
      const loaded = await store.load("open", [], options);
      if (loaded === undefined) {
        return new TriGraph("open", options, store, NOTHING);
      }
      const { manifest, parts } = loaded;
      const analyzer = options.analyzer ?? new EnglishAnalyzer();
      checkIdentity("open", analyzer, options.embedder, options.vectorPrecision, manifest);
      const index = new TriGraph("open", options, store, loadedIndex(manifest, parts));
      await index.indexVectors(parts, options);
      return index;
    } catch (error) {
      // The error to report is the first one.
      await store.close().catch(() => undefined);
      throw error;
    }
  }

  /** Number of passages. */
  get size(): number {
    this.assertOpen("size");
    return this.view.passageCount;
  }

  /**
   * Number of writes of this instance that changed something, and of commits that `refresh` took up. As long as it stays
   * the same, so do the passages: what is derived from them may be kept.
   */
  get commits(): number {
    return this.committed;
  }

  /**
   * Adds passages, or replaces those whose ids exist. Passages that are there already, word for word, stay as
   * they are. All or none: when it rejects, nothing was changed. Linear in the text. Until it resolves other writes
   * wait, so the iterable must not await one of the same index.
   *
   * @throws InvalidArgumentError on a passage that is not as `Passage` says, or workers with another analyzer;
   * EmbeddingError, WorkerError, IndexError `STORAGE`, the signal's reason, or what the iterable or the analyzer throws
   */
  async upsert(
    passages: Iterable<Passage> | AsyncIterable<Passage>,
    options: UpsertOptions = {},
  ): Promise<UpsertReport> {
    checkUpsertOptions("upsert", options);
    return this.write("upsert", options.signal, async () => {
      const { signal } = options;
      const before = this.view.parts;
      let parts: readonly ViewPart[] = before;
      let { dimensions } = this.vectors;
      const ingestion = new Ingestion("upsert", { ...this.vectors, analyzer: this.analyzer }, options);
      const { seen, changed, duplicates } = ingestion;
      for await (const segment of ingestion.segments(passages, (passage) => isUnchanged(parts, passage))) {
        dimensions = segment.header.dimensions;
        parts = await this.merger.settle(await inTurns(withSegment(parts, segment), signal), options);
      }
      signal?.throwIfAborted();
      const replaced = [...changed].filter((id) => locate(before, id) !== undefined).length;
      if (parts !== before) await this.commit("upsert", parts, { ...this.vectors, dimensions }, options);
      return {
        added: changed.size - replaced,
        replaced,
        unchanged: seen.size - changed.size,
        duplicates: [...duplicates],
      };
    });
  }

  /**
   * Gives all passages vectors of another embedder, or of another precision, and asks questions with it from then on. All
   * or nothing: until it resolves the index answers by the vectors that it has. To go on where an interrupted call has
   * stopped, give it a `cachedEmbedder`.
   *
   * An index of another model opens without an embedder; this is what follows.
   *
   * @throws InvalidArgumentError, EmbeddingError, IndexError `STORAGE`, or the signal's reason
   */
  async reembed(embedder: Embedder, options: ReembedOptions = {}): Promise<void> {
    checkCallOptions("reembed", options, ["onProgress", "vectorPrecision"]);
    checkOptions("reembed", { embedder, vectorPrecision: options.vectorPrecision });
    if ((embedder as Embedder | undefined) === undefined) {
      throw new InvalidArgumentError("reembed: expected an embedder, got undefined.");
    }
    await loadEmbedder("reembed", embedder);
    return this.write("reembed", options.signal, async () => {
      const precision = options.vectorPrecision ?? this.vectors.precision;
      const parts = await reembedded("reembed", this.view.parts, embedder, precision, options);
      options.signal?.throwIfAborted();
      const { id: embedderId, dimensions } = embedder;
      await this.commit("reembed", parts, { embedder, embedderId, dimensions, precision }, options);
    });
  }

  /** Removes passages. Ids that the index does not hold are reported, not an error. Exact: nothing of them remains in any statistic. */
  async delete(ids: Iterable<string>, options: CallOptions = {}): Promise<DeleteReport> {
    checkCallOptions("delete", options);
    const wanted = readIds("delete", ids);
    return this.write("delete", options.signal, async () => {
      const { parts, missing } = await inTurns(withoutPassages(this.view.parts, wanted), options.signal);
      const deleted = wanted.length - missing.length;
      if (deleted > 0) {
        await this.commit("delete", await this.merger.settle(parts, options), this.vectors, options);
      }
      return { deleted, missing };
    });
  }

  /**
   * Brings the index to as few segments as possible and drops what is dead. Answers stay the same; they come faster.
   *
   * Calling it is never needed: writes merge what is due, in the background where it is much. Such a merge never makes a
   * query wait for more than some milliseconds. When one fails, the next write, or `close`, rejects with `STORAGE` and
   * the cause; no passage is lost, and merging is tried again after the write that follows.
   */
  async merge(options: LongCallOptions = {}): Promise<void> {
    checkCallOptions("merge", options, ["onProgress"]);
    return this.write("merge", options.signal, async () => {
      const parts = await this.merger.mergeAll(this.view.parts, options);
      options.signal?.throwIfAborted();
      if (parts !== undefined) await this.commit("merge", parts, this.vectors, options);
    });
  }

  /**
   * Takes up the newest commit of an index opened with `readOnly`: true when it is another than before. Segments that were
   * read already are kept, queries under way keep theirs. An index that is open for writing, or in memory, is always at its
   * newest commit: false, and nothing is done.
   *
   * @throws IndexError `INDEX_MISMATCH` when the writer has given the passages vectors of another embedder (`reembed`), or
   * has a newer version; `NOT_FOUND` when the directory holds no index any more; `CORRUPT_INDEX`, `STORAGE`; the
   * signal's reason. The index stays at its commit then, and goes on answering
   */
  async refresh(options: LongCallOptions = {}): Promise<boolean> {
    checkCallOptions("refresh", options, ["onProgress"]);
    this.assertOpen("refresh");
    const { store } = this;
    if (store === undefined || store.isWritable) return false;
    return this.writes.run(async () => {
      const loaded = await store.load("refresh", this.view.parts, options, async ({ manifest, parts }) => {
        this.checkStillSame(manifest);
        await this.indexVectors(parts, options);
      });
      if (loaded === undefined) return false;
      this.view = new View(loaded.parts, this.vectorIndexes);
      this.vectors = this.meansOf(this.vectors.embedder, loadedIndex(loaded.manifest, loaded.parts));
      this.committed++;
      return true;
    }, options.signal);
  }

  /**
   * The passages that answer the question, best first: always min(k, passages that pass the filter and are `among`
   * those asked for) of them, ordered by score and then by id, unless `minScore` or `maxTokens` cuts them short.
   *
   * @throws InvalidArgumentError on a question, k, filter, vector, prior, setting or id that is not as documented,
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
    const settings =
      options.ranking === undefined ? this.ranking : changedRanking("retrieve", this.ranking, options.ranking);
    const vector = await this.questionVector("retrieve", question, settings, options);
    const priors = readPriors(view, options.priors ?? [], filter);
    const among = options.among === undefined ? undefined : passageNumbers(view, readIds("retrieve", options.among));
    const ranking = await rank(view, this.analyzer, settings, {
      question,
      vector,
      k,
      filter,
      priors,
      among,
      signal,
      embedMilliseconds: performance.now() - begun,
    });
    signal?.throwIfAborted();
    const hits = withinBudget(toHits(view, ranking.hits), options);
    if (explain) {
      const explainer = new Explainer(view, this.analyzer, ranking, priors, signal);
      for (const [i, hit] of hits.entries()) {
        hits[i] = { ...hit, evidence: await explainer.explain(ranking.hits[i]) };
        signal?.throwIfAborted();
      }
    }
    options.onTrace?.(ranking.trace);
    return hits;
  }

  /**
   * The passages that stage 3 chooses from, and what it knows of each and of the question: what a fusion is fitted to.
   *
   * @throws InvalidArgumentError, EmbeddingError or the signal's reason, as `retrieve`; InvalidArgumentError with
   * `seeds: "none"`, which leaves nothing to fuse
   */
  async candidates(question: string, options: CandidateOptions = {}): Promise<CandidatePool> {
    this.assertOpen("candidates");
    checkQuestion("candidates", question);
    checkCallOptions("candidates", options, ["filter", "vector"]);
    const filter = toPredicate("candidates", options.filter);
    options.signal?.throwIfAborted();
    const { view, ranking } = this;
    if (ranking.seeds === "none") {
      throw new InvalidArgumentError(
        'candidates: expected an index whose ranking looks for seeds, got seeds "none". Create or open it with another setting.',
      );
    }
    const vector = await this.questionVector("candidates", question, ranking, options);
    const fusion = ranking.fusion === "none" ? DEFAULT_RANKING.fusion : ranking.fusion;
    const ranked = await rank(
      view,
      this.analyzer,
      { ...ranking, fusion },
      {
        question,
        vector,
        k: 1,
        filter,
        priors: NO_PRIORS,
        among: undefined,
        signal: options.signal,
        embedMilliseconds: 0,
      },
    );
    options.signal?.throwIfAborted();
    const { context, candidates, hasSources } = ranked.pool!;
    return {
      context,
      isFused: hasSources,
      candidates: candidates.map(({ passage, features }) => ({ id: view.passageId(passage), features })),
    };
  }

  /**
   * The passages whose vectors are most similar to this one, by cosine, whatever their words and names: plain vector
   * search, exact. Always min(k, passages that pass the filter) of them; scores are from -1 to 1.
   *
   * @throws InvalidArgumentError on a vector of the wrong length, or when the index has no vectors
   */
  async nearest(vector: ArrayLike<number>, options: NearestOptions = {}): Promise<RetrievedPassage[]> {
    this.assertOpen("nearest");
    checkNearestOptions("nearest", options);
    const { k = DEFAULT_K, signal } = options;
    checkK("nearest", k);
    const filter = toPredicate("nearest", options.filter);
    signal?.throwIfAborted();
    const { view } = this;
    const { dimensions } = this.vectors;
    if (dimensions === 0) {
      throw new InvalidArgumentError("nearest: expected an index with vectors, got one whose passages have none.");
    }
    // While nothing decides the length every one will do.
    const query = unitVector(
      vector,
      dimensions ?? (vector as ArrayLike<number> | null)?.length ?? 1,
      "nearest: vector",
    );
    const best = bestByVector(
      view,
      new VectorQuery(query),
      Math.min(k, view.passageCount),
      new Visibility(view, filter),
    );
    // Vectors of length 1 in single precision: their product may exceed 1 by a rounding.
    const ranked = toRanked(best).map(({ number, score }) => ({ number, score: Math.max(-1, Math.min(1, score)) }));
    return toHits(view, ranked);
  }

  /** The passage with this id, or undefined. */
  get(id: string): StoredPassage | undefined {
    this.assertOpen("get");
    checkId("get", id);
    const number = this.view.findPassage(id);
    return number < 0 ? undefined : this.view.passage(number);
  }

  /** The passage's vector, scaled to length 1; undefined without such a passage, or when the index has no vectors. */
  vectorOf(id: string): Float32Array | undefined {
    this.assertOpen("vectorOf");
    checkId("vectorOf", id);
    const number = this.view.findPassage(id);
    if (number < 0 || (this.vectors.dimensions ?? 0) === 0) return undefined;
    const { segment, passageBase } = this.view.partOfPassage(number);
    return segment.vector(number - passageBase);
  }

  /**
   * The entities that the passage's text mentions, as the index's analyzer finds them, in text order; undefined without
   * such a passage. An index keeps no spans of them, so the text is analysed anew.
   *
   * @throws InvalidArgumentError, what the analyzer throws, or the signal's reason
   */
  async mentionsOf(id: string, options: CallOptions = {}): Promise<readonly EntityMention[] | undefined> {
    this.assertOpen("mentionsOf");
    checkId("mentionsOf", id);
    checkCallOptions("mentionsOf", options);
    options.signal?.throwIfAborted();
    const passage = this.get(id);
    if (passage === undefined) return undefined;
    const reader = await readTexts(this.analyzer, [passage.text], options.signal);
    return analyzeUntagged(reader, passage.text).mentions;
  }

  /** All passages of the commit at which it is called, in no order that means anything, whatever happens meanwhile. */
  passages(): IterableIterator<StoredPassage> {
    this.assertOpen("passages");
    return allPassages(this.view);
  }

  /**
   * The nodes and edges of the graph, passage by passage, of the commit at which it is called; `entities()` has the
   * names. In no order that means anything. One passage at a time is in memory beside the index.
   */
  graph(): IterableIterator<GraphPassage> {
    this.assertOpen("graph");
    return walkPassages(this.view);
  }

  /** The entities of the commit at which it is called, in no order that means anything. */
  entities(): IterableIterator<GraphEntity> {
    this.assertOpen("entities");
    return walkEntities(this.view);
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
      dimensions: this.vectors.dimensions ?? 0,
      collisions: view.collisions(),
    };
  }

  /** Verifies everything stored against everything else and against the texts; empty when all is well. As slow as building. */
  async check(options: LongCallOptions = {}): Promise<CheckFinding[]> {
    this.assertOpen("check");
    checkCallOptions("check", options, ["onProgress"]);
    const inMemory = await checkView(this.view, this.analyzer, options);
    return [...inMemory, ...((await this.store?.verify(options)) ?? [])];
  }

  /**
   * Copies the index into a directory, replacing one that is there as a whole. When it rejects, the directory holds what it
   * held before, or where the last step has failed all of the copy, never a mixture. Files of a copy that was broken off
   * stay until the next one into the same directory.
   *
   * @throws IndexError `LOCKED`, `STORAGE`; the signal's reason
   */
  async save(directory: Directory, options: LongCallOptions = {}): Promise<void> {
    this.assertOpen("save");
    checkDirectory("save", directory);
    checkCallOptions("save", options, ["onProgress"]);
    options.signal?.throwIfAborted();
    // Taken together, before anything is awaited: a write meanwhile changes both.
    const { view } = this;
    const identity = this.identity(this.vectors);
    if (directory === this.store?.directory) return this.writes.idle();
    const store = await Store.forWriting("save", directory);
    try {
      await store.commit("save", view.parts, identity, options);
    } finally {
      await store.close();
    }
  }

  /**
   * Ends all queued writes, gives up what is merged in the background, then the directory. Calling it again does nothing,
   * unless that failed.
   *
   * @throws IndexError `STORAGE` when the lock cannot be removed: call it again, or open the index anew in this process; or,
   * having closed all the same, when a merge in the background has failed and no write has told so
   */
  async close(): Promise<void> {
    this.closing ??= (async () => {
      const merger = this.merger.close();
      await this.writes.idle();
      await merger;
    })();
    await this.closing;
    this.view = new View([]);
    await this.store?.close();
    this.merger.throwFailure("close", "the index was closed, and merging is tried again when it is written to");
  }

  /** Where vectors come from in an index just read. */
  private meansOf(embedder: Embedder | undefined, loaded: LoadedIndex): VectorMeans {
    return {
      embedder,
      embedderId: embedder?.id ?? loaded.embedder,
      dimensions: loaded.dimensions ?? embedder?.dimensions,
      precision: loaded.precision ?? this.firstPrecision,
    };
  }

  /** @throws IndexError `INDEX_MISMATCH` unless a newer commit can be used as the former one was */
  private checkStillSame(manifest: Manifest): void {
    const { embedder, embedderId, dimensions } = this.vectors;
    const used = embedder ?? (dimensions === undefined ? undefined : { id: embedderId, dimensions });
    checkIdentity("refresh", this.analyzer, used, undefined, manifest);
  }

  private async write<T>(method: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    this.assertWritable(method);
    return this.writes.run(async () => {
      signal?.throwIfAborted();
      this.store?.assertUnchallenged(method);
      this.merger.throwFailure(method, "this call has changed nothing: mend the cause and repeat it");
      return task();
    }, signal);
  }

  private async commit(
    method: string,
    parts: readonly ViewPart[],
    vectors: VectorMeans,
    options: LongCallOptions,
  ): Promise<void> {
    await this.show(method, parts, vectors, options);
    this.committed++;
    // Last: whatever the caller's function does, the commit is made and answered from.
    if (this.store !== undefined) options.onProgress?.({ phase: "write", done: parts.length, total: parts.length });
  }

  /** Stores the parts, where there is a directory, and answers from them from then on. */
  private async show(
    method: string,
    parts: readonly ViewPart[],
    vectors: VectorMeans,
    options: LongCallOptions,
  ): Promise<void> {
    await this.indexVectors(parts, options);
    await this.store?.commit(method, parts, this.identity(vectors));
    this.view = new View(parts, this.vectorIndexes);
    // An index that has become empty may begin again with other vectors.
    const { embedder, embedderId } = vectors;
    this.vectors =
      this.view.passageCount === 0
        ? { embedder, embedderId, dimensions: embedder?.dimensions, precision: this.firstPrecision }
        : vectors;
    this.merger.start();
  }

  private async indexVectors(parts: readonly ViewPart[], options: LongCallOptions): Promise<void> {
    await this.vectorIndexes?.prepare(
      parts.map(({ segment }) => segment),
      options,
    );
  }

  private identity({ embedderId, dimensions, precision }: VectorMeans): IndexIdentity {
    return { analyzer: this.analyzer.id, embedder: embedderId, dimensions: dimensions ?? 0, precision };
  }

  private async questionVector(
    method: string,
    question: string,
    { similarity }: RankingOptions,
    { vector, signal }: CandidateOptions,
  ): Promise<Float32Array | undefined> {
    const { embedder, dimensions } = this.vectors;
    if (vector !== undefined) {
      // While nothing decides the length every vector will do.
      if (dimensions === undefined) return undefined;
      if (dimensions === 0) {
        throw new InvalidArgumentError(`${method}: expected no vector, since the index's passages have none.`);
      }
      return unitVector(vector, dimensions, `${method}: vector`);
    }
    if (embedder !== undefined && similarity !== "lexical") {
      return embedQuestion(method, embedder, question, signal);
    }
    if (similarity === "dense" || similarity === "hybrid") {
      throw new InvalidArgumentError(
        `${method}: expected a vector or an embedder, since similarity is ${show(similarity)}, got neither.`,
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

function loadedIndex({ embedder, dimensions, precision }: Manifest, parts: readonly ViewPart[]): LoadedIndex {
  // An empty index may begin again with other vectors.
  if (parts.length === 0) return { parts, embedder, dimensions: undefined, precision: undefined };
  return { parts, embedder, dimensions, precision };
}

function passageNumbers(view: View, ids: readonly string[]): ReadonlySet<number> {
  return new Set(ids.map((id) => view.findPassage(id)).filter((number) => number >= 0));
}

function toHits(view: View, ranked: readonly RankedPassage[]): RetrievedPassage[] {
  return ranked.map(({ number, score }, i) => ({ passage: view.passage(number), score, rank: i + 1 }));
}

function* allPassages({ parts }: View): Generator<StoredPassage, void, undefined> {
  for (const { segment, liveness } of parts) {
    for (let p = 0; p < segment.passageCount; p++) if (liveness.isLive(p)) yield segment.passage(p);
  }
}
