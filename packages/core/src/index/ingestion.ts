/** From passages to segments: a batch after the other is read, embedded and analysed, in this thread or in others. */
import { nextTurn } from "../abort.js";
import { ANALYZE_BATCH, WORKER_CHARACTERS } from "../defaults.js";
import { joinFields, type NewPassage, SegmentBuilder, segmentOf } from "../segment/builder.js";
import type { VectorShape } from "../segment/packed-vectors.js";
import type { Segment } from "../segment/segment.js";
import { type Analyzer, readTexts, type TextAnalyzer } from "../text/analyzer.js";
import { inTurns } from "../steps.js";
import type { UpsertOptions } from "../types.js";
import { type Batch, embed, readBatches, type Source, type VectorSource } from "./ingest.js";
import type { IndexingWorkers } from "./workers.js";

/** After so long without a break other work gets a turn, and an abort is noticed; milliseconds. */
const TURN = 50;

/** What segments are made with. */
export interface Means extends VectorSource, Pick<VectorShape, "precision"> {
  readonly analyzer: Analyzer;
}

/** One call's passages on their way into segments, and what was met on it. */
export class Ingestion {
  /** Ids of all passages; of those that came more than once; of those that went into a segment. */
  readonly seen = new Set<string>();
  readonly duplicates = new Set<string>();
  readonly changed = new Set<string>();
  private readonly method: string;
  private readonly means: Means;
  private readonly options: UpsertOptions;
  private dimensions: number | undefined;
  private total: number | undefined;
  private done = 0;

  constructor(method: string, means: Means, options: UpsertOptions) {
    this.method = method;
    this.means = means;
    this.dimensions = means.dimensions;
    this.options = options;
  }

  /**
   * Segments of all passages but those that are unchanged, in the order of their batches.
   *
   * Workers are given the next batch before the last one's segment is taken: so they analyse while this thread reads,
   * puts together and merges. At most two batches are held at a time; without workers, one.
   *
   * @param isUnchanged whether the index, with all segments taken so far, holds the passage already
   */
  async *segments(passages: Source, isUnchanged: (passage: NewPassage) => boolean): AsyncGenerator<Segment> {
    const { signal, workers } = this.options;
    const ahead = workers === undefined ? 0 : 1;
    if (Array.isArray(passages)) this.total = passages.length;
    // Aborted with the caller's signal, by a failure, and at the end: nothing that was begun goes on behind it.
    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    const begun: Promise<Segment>[] = [];
    try {
      // Without workers nothing can fail while a batch is read; and each passage is read faster without a signal.
      const reading = workers === undefined ? signal : stop.signal;
      for await (const batch of readBatches(this.method, passages, this.seen, this.means, reading)) {
        // What came before must be in the index for a passage that comes again to be compared.
        if (batch.duplicates.size > 0) yield* takeAllBut(0, begun);
        const news = this.newsOf(batch, isUnchanged);
        if (news.length === 0) continue;
        const segment = this.build(news, stop.signal);
        // Whoever waits for the next batch meanwhile learns of the failure at once.
        segment.catch((error: unknown) => stop.abort(error));
        begun.push(segment);
        yield* takeAllBut(ahead, begun);
      }
      yield* takeAllBut(0, begun);
    } finally {
      signal?.removeEventListener("abort", abort);
      stop.abort();
    }
  }

  private newsOf({ passages, duplicates }: Batch, isUnchanged: (passage: NewPassage) => boolean): NewPassage[] {
    for (const id of duplicates) this.duplicates.add(id);
    const news = [...passages.values()].filter((passage) => !isUnchanged(passage));
    for (const { id } of news) this.changed.add(id);
    this.done += passages.size - news.length;
    return news;
  }

  private async build(passages: readonly NewPassage[], signal: AbortSignal): Promise<Segment> {
    const { workers, onProgress } = this.options;
    const { embedder, precision } = this.means;
    // What the first passage brings, all must bring: `readBatches` sees to it.
    this.dimensions ??= passages[0].vector?.length ?? 0;
    const shape = { dimensions: this.dimensions, precision };
    const embedded =
      shape.dimensions === 0 ? passages : await embed(this.method, passages, embedder, { signal, onProgress });
    if (workers === undefined) return this.buildHere(embedded, shape, signal);
    return this.buildThere(workers, embedded, shape, signal);
  }

  private async buildHere(passages: readonly NewPassage[], shape: VectorShape, signal: AbortSignal): Promise<Segment> {
    const builder = new SegmentBuilder(shape);
    let turnEnds = performance.now() + TURN;
    let reader: TextAnalyzer;
    for (const [i, passage] of passages.entries()) {
      if (i % ANALYZE_BATCH === 0) {
        const texts = passages.slice(i, i + ANALYZE_BATCH).map(({ text }) => text);
        reader = await readTexts(this.means.analyzer, texts, signal);
      }
      builder.add(passage, reader!);
      this.done++;
      if (performance.now() < turnEnds) continue;
      this.report();
      await nextTurn();
      signal.throwIfAborted();
      turnEnds = performance.now() + TURN;
    }
    this.report();
    return inTurns(builder.freeze(), signal);
  }

  private async buildThere(
    workers: IndexingWorkers,
    passages: readonly NewPassage[],
    shape: VectorShape,
    signal: AbortSignal,
  ): Promise<Segment> {
    const pieces = cut(passages);
    const texts = pieces.map((piece) => piece.map(({ text, title }) => ({ text, title })));
    const analyzed = workers.analyze(texts, { analyzer: this.means.analyzer.id, signal });
    const divided = pieces.map(async (piece, i) => {
      const arrays = await analyzed[i];
      this.done += piece.length;
      this.report();
      return joinFields(piece, arrays, shape);
    });
    return inTurns(segmentOf(await Promise.all(divided), shape), signal);
  }

  private report(): void {
    this.options.onProgress?.({ phase: "analyze", done: this.done, total: this.total });
  }
}

/** Takes the first ones, when they have come, until so many are left. */
async function* takeAllBut<T>(left: number, begun: Promise<T>[]): AsyncGenerator<T> {
  while (begun.length > left) yield begun.shift()!;
}

/** What workers are given at once. */
function cut(passages: readonly NewPassage[]): NewPassage[][] {
  const pieces: NewPassage[][] = [];
  let characters = WORKER_CHARACTERS;
  for (const passage of passages) {
    if (characters >= WORKER_CHARACTERS) {
      pieces.push([]);
      characters = 0;
    }
    pieces.at(-1)!.push(passage);
    characters += passage.text.length;
  }
  return pieces;
}
