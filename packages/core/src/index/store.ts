import type { Directory } from "../directory/directory.js";
import { IndexError } from "../errors.js";
import { type DecodeOptions, decodeSegment, encodeSegment, segmentChecksum } from "../segment/codec.js";
import { type Segment, toSegment } from "../segment/segment.js";
import { inTurns, type Steps } from "../steps.js";
import { type DeadPassages, readDead, writeDead } from "./dead.js";
import type { IndexIdentity } from "./identity.js";
import { Liveness } from "./liveness.js";
import { acquireLock, type Lock } from "./lock.js";
import {
  deadFileName,
  encodeManifest,
  type FileNaming,
  type Manifest,
  manifestFileName,
  type ManifestSegment,
  newestGeneration,
  readNewestManifest,
  removeUnreferenced,
  segmentFileName,
  writeManifest,
} from "./manifest.js";
import type { CallOptions, CheckFinding, LongCallOptions } from "../types.js";
import type { ViewPart } from "./view.js";

/** Whether the directory holds an index, sound or not. */
export async function holdsIndex(directory: Directory): Promise<boolean> {
  return (await newestGeneration(directory)) > 0;
}

/** A commit as it was read. */
interface LoadedCommit {
  readonly manifest: Manifest;
  readonly parts: readonly ViewPart[];
}

type StoredSegment = Omit<ManifestSegment, "dead">;

/** An index's place in a directory: what is stored there, and the right to write to it. */
export class Store {
  readonly directory: Directory;
  private readonly lock: Lock | undefined;
  /** Files of the segments and of their dead that are stored already. */
  private readonly segmentFiles = new WeakMap<Segment, StoredSegment>();
  private readonly deadFiles = new WeakMap<Liveness, DeadPassages>();
  /** The newest generation when the index was read or written last, torn ones included. The next commit follows it. */
  private generation = 0;
  /** Of a commit whose manifest may have come to be although it failed. */
  private attempted: Manifest | undefined;
  private filesNamed = 0;
  /** Files of segments that a later commit may name. */
  private readonly prepared = new Map<Segment, string>();
  /** The manifest of the commit that was loaded last, as JSON. */
  private loaded: string | undefined;
  /** Why this writer may write no more; undefined while it may. */
  private conflict: string | undefined;

  private constructor(directory: Directory, lock: Lock | undefined, generation: number) {
    this.directory = directory;
    this.lock = lock;
    this.generation = generation;
  }

  /** @throws IndexError LOCKED when another writer holds the directory */
  static async forWriting(method: string, directory: Directory): Promise<Store> {
    const lock = await acquireLock(method, directory);
    try {
      return new Store(directory, lock, await newestGeneration(directory));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  static forReading(directory: Directory): Store {
    return new Store(directory, undefined, 0);
  }

  get isWritable(): boolean {
    return this.lock !== undefined;
  }

  /** @throws IndexError CONFLICT once another writer has committed, or taken the lock over */
  assertUnchallenged(method: string): void {
    if (this.conflict === undefined) return;
    throw new IndexError(
      "CONFLICT",
      `${method}: ${this.conflict}. Nothing was changed. Close this index and open it anew to write; until then it answers from what it read.`,
    );
  }

  /**
   * The newest commit; undefined when there is none, or when it is the one that was loaded last. What of it is in
   * `current` already is taken from there. One that `check` throws at counts as not loaded.
   *
   * @throws IndexError CORRUPT_INDEX, INDEX_MISMATCH, STORAGE, NOT_FOUND when a commit was loaded and none is left
   */
  async load(
    method: string,
    current: readonly ViewPart[] = [],
    { signal, onProgress }: LongCallOptions = {},
    check: (commit: LoadedCommit) => void | Promise<void> = () => {},
  ): Promise<LoadedCommit | undefined> {
    let isMissing = true;
    const commit = await this.newest(method, signal, async (manifest, generation) => {
      isMissing = false;
      this.generation = generation;
      const text = JSON.stringify(manifest);
      if (text === this.loaded) return undefined;
      const parts: ViewPart[] = [];
      const total = manifest.segments.reduce((sum, { passages }) => sum + passages, 0);
      let done = 0;
      for (const entry of manifest.segments) {
        parts.push(await this.loadPart(method, entry, current, signal));
        done += entry.passages;
        onProgress?.({ phase: "read", done, total });
      }
      checkVectors(method, manifest, parts);
      signal?.throwIfAborted();
      await check({ manifest, parts });
      this.loaded = text;
      return { manifest, parts };
    });
    if (isMissing && this.loaded !== undefined) {
      throw new IndexError(
        "NOT_FOUND",
        `${method}: the directory holds no index any more. Restore it, or close this one.`,
      );
    }
    // A writer that was killed before its last sync leaves a commit that can be read and may yet be lost with the
    // power. An upsert that finds its passages there already acknowledges them.
    if (commit !== undefined && this.isWritable) {
      await this.directory.sync([manifestFileName(commit.manifest.generation)]);
    }
    return commit;
  }

  /**
   * Makes the parts the newest commit: durable when this resolves. When it rejects the former commit is the newest,
   * or, if the failure came after its manifest was made, either may be: both are whole.
   *
   * @throws IndexError CONFLICT when another writer has committed since this one read or wrote, or holds the lock: its
   * commit stays the newest, whole, and every later call fails the same way; STORAGE; the signal's reason, with nothing
   * committed
   */
  async commit(
    method: string,
    parts: readonly ViewPart[],
    identity: IndexIdentity,
    options: LongCallOptions = {},
  ): Promise<void> {
    if (this.lock === undefined) {
      throw new IndexError("STORAGE", `${method}: expected an index opened for writing, got a read-only one.`);
    }
    await this.lookForOthers(method, this.lock);
    const generation = this.generation + 1;
    const manifest = { generation, ...identity, segments: await this.writeParts(parts, generation, options) };
    // Writing may have taken long.
    await this.lookForOthers(method, this.lock);
    options.signal?.throwIfAborted();
    this.attempted = manifest;
    if (!(await writeManifest(this.directory, manifest))) this.refuse(method, await this.describeOther(this.lock));
    this.attempted = undefined;
    this.generation = generation;
    // The commit is durable. What cannot be removed now, the next commit removes.
    await removeUnreferenced(this.directory, manifest, this.prepared.values()).catch(() => undefined);
  }

  /**
   * Stores a segment, durably, that a later commit may consist of, while other commits are made. `leavePreparation` has to
   * follow.
   *
   * @throws IndexError STORAGE, CONFLICT; the signal's reason
   */
  async prepare(segment: Segment, signal: AbortSignal): Promise<void> {
    this.assertUnchallenged("merge");
    const file = segmentFileName(this.nextName(this.generation + 1));
    this.prepared.set(segment, file);
    const written = await this.writeSegment(segment, file, signal);
    await this.directory.sync([file]);
    this.segmentFiles.set(segment, written);
  }

  /** Removes the file of a prepared segment unless a commit names it now. */
  async leavePreparation(segment: Segment, isCommitted: boolean): Promise<void> {
    const file = this.prepared.get(segment);
    this.prepared.delete(segment);
    if (file === undefined || isCommitted) return;
    this.segmentFiles.delete(segment);
    // The next commit removes it otherwise.
    await this.directory.remove(file).catch(() => undefined);
  }

  /** Reads every file of the newest commit anew and verifies it; empty when all is well. */
  async verify({ signal }: CallOptions): Promise<CheckFinding[]> {
    const verified = await this.newest("check", signal, async (manifest) => {
      const findings: CheckFinding[] = [];
      for (const entry of manifest.segments) {
        try {
          await this.readPart("check", entry, signal);
        } catch (error) {
          if (!(error instanceof IndexError) || error.code === "NOT_FOUND") throw error;
          findings.push({ where: entry.file, what: error.message });
        }
      }
      return findings;
    });
    return verified ?? [];
  }

  async close(): Promise<void> {
    await this.lock?.release();
  }

  /**
   * What `read` makes of the newest manifest, told the newest generation there is; undefined without one. A writer may
   * commit and remove files meanwhile: then it starts over with the newer manifest.
   */
  private async newest<T>(
    method: string,
    signal: AbortSignal | undefined,
    read: (manifest: Manifest, generation: number) => Promise<T>,
  ): Promise<T | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      const newest = await newestGeneration(this.directory);
      const manifest = await readNewestManifest(this.directory, method);
      if (manifest === undefined) return undefined;
      const { generation } = manifest;
      try {
        // Of a manifest that cannot be used the number is taken all the same.
        return await read(manifest, Math.max(newest, generation));
      } catch (error) {
        if (!(error instanceof IndexError && error.code === "NOT_FOUND")) throw error;
        if ((await newestGeneration(this.directory)) > generation) continue;
        throw new IndexError(
          "CORRUPT_INDEX",
          `${method}: a file of ${manifestFileName(generation)} is gone. Restore the index from a backup or build it again.`,
          { cause: error },
        );
      }
    }
  }

  /** @throws IndexError CONFLICT, from now on at every call, unless this is the only writer */
  private async lookForOthers(method: string, lock: Lock): Promise<void> {
    this.assertUnchallenged(method);
    const newest = await newestGeneration(this.directory);
    if (newest === this.generation + 1 && (await this.wasAttempted(newest))) this.generation = newest;
    if (newest !== this.generation || (await lock.lostTo()) !== undefined) {
      this.refuse(method, await this.describeOther(lock));
    }
  }

  /** Whether a manifest is that of this writer's last commit, which failed. */
  private async wasAttempted(generation: number): Promise<boolean> {
    const { attempted } = this;
    if (attempted?.generation !== generation) return false;
    const found = await this.directory.read(manifestFileName(generation));
    const own = encodeManifest(attempted);
    return found.length === own.length && found.every((byte, i) => byte === own[i]);
  }

  private refuse(method: string, conflict: string): void {
    this.conflict = conflict;
    this.assertUnchallenged(method);
  }

  private async describeOther(lock: Lock): Promise<string> {
    const newest = await newestGeneration(this.directory);
    const holder = await lock.lostTo();
    const commit =
      newest === this.generation
        ? "another writer may write to the index"
        : `another writer has changed the index since this one read it (commit ${newest} is there, this one's is ${this.generation})`;
    return holder === undefined ? commit : `${commit}; the lock is held by ${holder}`;
  }

  /** Stores what is not stored yet, durably. */
  private async writeParts(
    parts: readonly ViewPart[],
    generation: number,
    { signal, onProgress }: LongCallOptions,
  ): Promise<ManifestSegment[]> {
    const segments: ManifestSegment[] = [];
    const unsynced: string[] = [];
    // What is written counts as stored only once it is synced: after a failed sync it must be written again.
    const remember: (() => void)[] = [];
    for (const { segment, liveness } of parts) {
      let stored = this.segmentFiles.get(segment);
      if (stored === undefined) {
        const written = await this.writeSegment(segment, segmentFileName(this.nextName(generation)), signal);
        unsynced.push(written.file);
        remember.push(() => this.segmentFiles.set(segment, written));
        stored = written;
      }
      let dead = this.deadFiles.get(liveness);
      if (dead === undefined) {
        const file = deadFileName(this.nextName(generation));
        const written = await writeDead(this.directory, file, liveness.deadPassages());
        if ("file" in written) unsynced.push(written.file);
        remember.push(() => this.deadFiles.set(liveness, written));
        dead = written;
      }
      segments.push({ ...stored, dead });
      onProgress?.({ phase: "write", done: segments.length, total: parts.length });
    }
    await this.directory.sync(unsynced);
    for (const keep of remember) keep();
    return segments;
  }

  private nextName(generation: number): FileNaming {
    return { generation, writer: this.lock!.holder.token.slice(0, 16), ordinal: this.filesNamed++ };
  }

  private async loadPart(
    method: string,
    entry: ManifestSegment,
    current: readonly ViewPart[],
    signal: AbortSignal | undefined,
  ): Promise<ViewPart> {
    const { dead, ...stored } = entry;
    // A name is given once, but a directory may have been begun anew: the checksum stands for the bytes.
    const known = current.find(({ segment }) => isSame(this.segmentFiles.get(segment), stored));
    if (known !== undefined && isSame(this.deadFiles.get(known.liveness), dead)) {
      return { segment: known.segment, liveness: known.liveness };
    }
    const part =
      known === undefined
        ? await this.readPart(method, entry, signal)
        : { segment: known.segment, liveness: await this.readLiveness(method, known.segment, dead, signal) };
    this.segmentFiles.set(part.segment, stored);
    this.deadFiles.set(part.liveness, dead);
    return part;
  }

  private async readLiveness(
    method: string,
    segment: Segment,
    dead: DeadPassages,
    signal: AbortSignal | undefined,
  ): Promise<Liveness> {
    const ordinals = await readDead(this.directory, dead, segment.passageCount, method);
    return inTurns(Liveness.ALL.without(segment, ordinals), signal);
  }

  private async readPart(method: string, entry: ManifestSegment, signal: AbortSignal | undefined): Promise<ViewPart> {
    signal?.throwIfAborted();
    const bytes = await this.directory.read(entry.file);
    const { file, checksum: expected } = entry;
    const { checksum } = this.directory;
    const segment = await inTurns(readSegment(bytes, { method, file, expected, checksum }), signal);
    if (segment.passageCount !== entry.passages) {
      throw new IndexError(
        "CORRUPT_INDEX",
        `${method}: ${entry.file} has ${segment.passageCount} passages, not the ${entry.passages} that the manifest says. Restore the index from a backup or build it again.`,
      );
    }
    return { segment, liveness: await this.readLiveness(method, segment, entry.dead, signal) };
  }

  private async writeSegment(segment: Segment, file: string, signal?: AbortSignal): Promise<StoredSegment> {
    const chunks = await inTurns(encodeSegment(segment.arrays, segment.header, this.directory.checksum), signal);
    await this.directory.write(file, chunks);
    return {
      file,
      bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
      checksum: segmentChecksum(chunks[0]),
      passages: segment.passageCount,
    };
  }
}

function* readSegment(bytes: Uint8Array, options: DecodeOptions): Steps<Segment> {
  return yield* toSegment(yield* decodeSegment(bytes, options));
}

/** Both are of JSON's values, their fields in one order. */
function isSame<T>(a: T | undefined, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function checkVectors(method: string, { dimensions, precision }: Manifest, parts: readonly ViewPart[]): void {
  if (parts.every(({ segment: { header } }) => header.dimensions === dimensions && header.precision === precision))
    return;
  throw new IndexError(
    "CORRUPT_INDEX",
    `${method}: a segment has vectors of other than the ${dimensions} dimensions in ${precision} that the manifest says. Restore the index from a backup or build it again.`,
  );
}
