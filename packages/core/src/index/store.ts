import type { Directory } from "../directory/directory.js";
import { IndexError } from "../errors.js";
import { decodeSegment, encodeSegment, segmentChecksum } from "../segment/codec.js";
import { Segment } from "../segment/segment.js";
import { type DeadPassages, readDead, writeDead } from "./dead.js";
import type { IndexIdentity } from "./identity.js";
import { Liveness } from "./liveness.js";
import { acquireLock, type Lock } from "./lock.js";
import {
  type Manifest,
  type ManifestSegment,
  manifestFileName,
  nextGeneration,
  readNewestManifest,
  removeUnreferenced,
  segmentFileName,
  writeManifest,
} from "./manifest.js";
import type { CallOptions, CheckFinding } from "../types.js";
import type { ViewPart } from "./view.js";

/** Whether the directory holds an index, sound or not. */
export async function holdsIndex(directory: Directory): Promise<boolean> {
  return (await nextGeneration(directory)) > 1;
}

/** An index's place in a directory: what is stored there, and the right to write to it. */
export class Store {
  readonly directory: Directory;
  private readonly lock: Lock | undefined;
  /** Files of the segments and of their dead that are stored already. */
  private readonly segmentFiles = new WeakMap<Segment, Omit<ManifestSegment, "dead">>();
  private readonly deadFiles = new WeakMap<Liveness, DeadPassages>();

  private constructor(directory: Directory, lock: Lock | undefined) {
    this.directory = directory;
    this.lock = lock;
  }

  /** @throws IndexError LOCKED when another writer holds the directory */
  static async forWriting(method: string, directory: Directory): Promise<Store> {
    return new Store(directory, await acquireLock(method, directory));
  }

  static forReading(directory: Directory): Store {
    return new Store(directory, undefined);
  }

  get isWritable(): boolean {
    return this.lock !== undefined;
  }

  /** The newest commit; undefined when there is none. For a writer it is durable, whoever wrote it. */
  async load(): Promise<{ manifest: Manifest; parts: ViewPart[] } | undefined> {
    const loaded = await this.newest(async (manifest) => {
      const parts: ViewPart[] = [];
      for (const entry of manifest.segments) parts.push(await this.loadPart(entry));
      const { dimensions, precision } = manifest;
      if (parts.some(({ segment: { header } }) => header.dimensions !== dimensions || header.precision !== precision)) {
        throw new IndexError(
          "CORRUPT_INDEX",
          `open: a segment has vectors of other than the ${dimensions} dimensions in ${precision} that the manifest says. Restore the index from a backup or build it again.`,
        );
      }
      return { manifest, parts };
    });
    // A writer that was killed before its last sync leaves a commit that can be read and may yet be lost with the
    // power. An upsert that finds its passages there already acknowledges them.
    if (loaded !== undefined && this.isWritable) {
      await this.directory.sync([manifestFileName(loaded.manifest.generation)]);
    }
    return loaded;
  }

  /**
   * Makes the parts the newest commit: durable when this resolves. When it rejects the former commit is the newest,
   * or, if the very last sync failed, either may be: both are whole.
   */
  async commit(parts: readonly ViewPart[], identity: IndexIdentity): Promise<void> {
    if (!this.isWritable) {
      throw new IndexError("STORAGE", "commit: expected an index opened for writing, got a read-only one.");
    }
    const generation = await nextGeneration(this.directory);
    const segments: ManifestSegment[] = [];
    const unsynced: string[] = [];
    // What is written counts as stored only once it is synced: after a failed sync it must be written again.
    const remember: (() => void)[] = [];
    for (const { segment, liveness } of parts) {
      let stored = this.segmentFiles.get(segment);
      if (stored === undefined) {
        const written = await this.writeSegment(segment, segmentFileName(generation, segments.length));
        unsynced.push(written.file);
        remember.push(() => this.segmentFiles.set(segment, written));
        stored = written;
      }
      let dead = this.deadFiles.get(liveness);
      if (dead === undefined) {
        const written = await writeDead(this.directory, stored.file, generation, liveness.deadPassages());
        if ("file" in written) unsynced.push(written.file);
        remember.push(() => this.deadFiles.set(liveness, written));
        dead = written;
      }
      segments.push({ ...stored, dead });
    }
    await this.directory.sync(unsynced);
    for (const keep of remember) keep();
    const manifest = { generation, ...identity, segments };
    await writeManifest(this.directory, manifest);
    // The commit is durable. What cannot be removed now, the next commit removes.
    await removeUnreferenced(this.directory, manifest).catch(() => undefined);
  }

  /** Reads every file of the newest commit anew and verifies it; empty when all is well. */
  async verify({ signal }: CallOptions): Promise<CheckFinding[]> {
    const verified = await this.newest(async (manifest) => {
      const findings: CheckFinding[] = [];
      for (const entry of manifest.segments) {
        signal?.throwIfAborted();
        try {
          await this.readPart(entry);
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
   * What `read` makes of the newest manifest; undefined without one. A writer may commit and remove files meanwhile:
   * then it starts over with the newer manifest.
   */
  private async newest<T>(read: (manifest: Manifest) => Promise<T>): Promise<T | undefined> {
    for (;;) {
      const manifest = await readNewestManifest(this.directory);
      if (manifest === undefined) return undefined;
      try {
        return await read(manifest);
      } catch (error) {
        if (!(error instanceof IndexError && error.code === "NOT_FOUND")) throw error;
        if ((await nextGeneration(this.directory)) > manifest.generation + 1) continue;
        const { generation } = manifest;
        throw new IndexError(
          "CORRUPT_INDEX",
          `open: a file of ${manifestFileName(generation)} is gone. Restore the index from a backup or build it again.`,
          { cause: error },
        );
      }
    }
  }

  private async loadPart(entry: ManifestSegment): Promise<ViewPart> {
    const { dead, ...stored } = entry;
    const part = await this.readPart(entry);
    this.segmentFiles.set(part.segment, stored);
    this.deadFiles.set(part.liveness, dead);
    return part;
  }

  private async readPart(entry: ManifestSegment): Promise<ViewPart> {
    const bytes = await this.directory.read(entry.file);
    const { arrays, header } = decodeSegment(bytes, {
      file: entry.file,
      expected: entry.checksum,
      checksum: this.directory.checksum,
    });
    const segment = new Segment(arrays, header);
    if (segment.passageCount !== entry.passages) {
      throw new IndexError(
        "CORRUPT_INDEX",
        `open: ${entry.file} has ${segment.passageCount} passages, not the ${entry.passages} that the manifest says. Restore the index from a backup or build it again.`,
      );
    }
    const deadPassages = await readDead(this.directory, entry.dead, segment.passageCount);
    const liveness = Liveness.ALL.without(segment, [...deadPassages]);
    return { segment, liveness };
  }

  private async writeSegment(segment: Segment, file: string): Promise<Omit<ManifestSegment, "dead">> {
    const chunks = encodeSegment(segment.arrays, segment.header, this.directory.checksum);
    await this.directory.write(file, chunks);
    return {
      file,
      bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
      checksum: segmentChecksum(chunks[0]),
      passages: segment.passageCount,
    };
  }
}
