/**
 * Manifests: what an index consists of, one file for each commit.
 *
 * `manifest-<generation, 12 digits>.json` is one JSON object, written by `JSON.stringify` without spaces: `checksum`,
 * `formatVersion` and the fields of `Manifest`. `checksum` is the CRC-32 of the UTF-8 bytes of the same object without
 * it, which is what `JSON.stringify` makes of the parsed rest. Both fields mean the same in every later version.
 *
 * A commit writes its segments, syncs them, and creates the manifest of the next generation, which succeeds only where
 * that has no manifest yet. The newest manifest is the index, so a commit is there as a whole or not at all, and of two
 * writers that read the same commit one at most makes the next.
 */
import { VECTOR_PRECISIONS } from "../segment/packed-vectors.js";
import type { VectorPrecision } from "../types.js";
import * as z from "zod/mini";
import { crc32 } from "../directory/checksum.js";
import { type Directory, isFileName } from "../directory/directory.js";
import { firstIssue } from "../schema-issue.js";
import { readerOf } from "../segment/format.js";
import { IndexError, InvalidArgumentError } from "../errors.js";
import { deadCount, type DeadPassages, deadSchema, isInline } from "./dead.js";

const FORMAT_VERSION = 1;

/** As many as the 12 digits of a name can count. */
const MAX_GENERATION = 999_999_999_999;

/** Some 300,000 segments. A file that is longer is none of ours, and not read. */
const MAX_MANIFEST_BYTES = 2 ** 26;

/** A reader that loses every race against a writer so often is told so. */
const MAX_RACES = 100;

export interface ManifestSegment {
  readonly file: string;
  /** Size of the file. */
  readonly bytes: number;
  /** `segmentChecksum` of the file. */
  readonly checksum: number;
  /** Passages in the segment, dead ones included. */
  readonly passages: number;
  readonly dead: DeadPassages;
}

/** An index at one commit. */
export interface Manifest {
  /** Number of the commit, from 1. */
  readonly generation: number;
  /** Id of the text analyzer that made the segments. */
  readonly analyzer: string;
  /** Id of the embedder, or null without one. */
  readonly embedder: string | null;
  /** Length of the vectors; 0 without. */
  readonly dimensions: number;
  readonly precision: VectorPrecision;
  readonly segments: readonly ManifestSegment[];
}

const natural = z.int().check(z.nonnegative());
const manifestSchema = z
  .strictObject({
    generation: z.int().check(z.positive(), z.lte(MAX_GENERATION)),
    analyzer: z.string(),
    embedder: z.nullable(z.string()),
    dimensions: natural,
    precision: z.enum(VECTOR_PRECISIONS),
    segments: z.array(
      z
        .strictObject({
          file: z.string().check(z.refine(isFileName, "not a file name")),
          bytes: natural,
          checksum: natural.check(z.lt(2 ** 32)),
          passages: natural,
          dead: deadSchema,
        })
        .check(z.refine(deadFit, "more dead passages than there are")),
    ),
  })
  .check(z.refine((manifest) => new Set(filesOf(manifest)).size === filesOf(manifest).length, "a file is named twice"));

/** The fields that every version of the format has. */
const envelopeSchema = z.looseObject({ checksum: natural, formatVersion: natural });

/** What tells the files of one writer from those of all others. */
export interface FileNaming {
  /** The commit that the file is written for. */
  readonly generation: number;
  /** 16 hexadecimal digits of the writer's own. */
  readonly writer: string;
  /** Different for each file of the writer. */
  readonly ordinal: number;
}

/** What reads each version that this version of the library takes, given all fields but the version and the checksum. */
const READERS = new Map([[FORMAT_VERSION, (fields: unknown) => z.safeParse(manifestSchema, fields)]]);

/** The name of a segment's file. Writers that believe to be alone never write to each other's. */
export function segmentFileName({ generation, writer, ordinal }: FileNaming): string {
  return `segment-${pad(generation)}-${writer}-${ordinal}.seg`;
}

/** The name of a file of a segment's dead passages. */
export function deadFileName({ generation, writer, ordinal }: FileNaming): string {
  return `segment-${pad(generation)}-${writer}-${ordinal}.dead`;
}

export function manifestFileName(generation: number): string {
  return `manifest-${pad(generation)}.json`;
}

/** Files of this format, with what a crash leaves of them. */
const OWN_FILE =
  /^(?:manifest-(\d{12})\.json(?:\.[0-9a-f]{8}\.tmp)?|segment-(\d{12})-[0-9a-f]{16}-\d+\.(?:seg|dead)|write\.lock(?:\.[0-9a-f]{32})*\.[0-9a-f]{8}\.tmp)$/;

/** Every file the manifest refers to. */
function filesOf(manifest: Manifest): string[] {
  const files = [];
  for (const { file, dead } of manifest.segments) {
    files.push(file);
    if (!isInline(dead)) files.push(dead.file);
  }
  return files;
}

/** The greatest generation in the directory, torn ones included; 0 without any. */
export async function newestGeneration(directory: Directory): Promise<number> {
  return generationsIn(await directory.list())[0] ?? 0;
}

/**
 * Commits: makes the manifest the newest one, durably. All files it refers to must have been synced before. False, and
 * nothing done, when its generation, or a later one, has a manifest already.
 *
 * A manifest is removed only where a later one exists. So if another writer has made this generation, either its manifest
 * is still there, or a later one is: looking for that once more after the creation leaves no gap.
 *
 * Throws `InvalidArgumentError` when the manifest is not well-formed, `IndexError` STORAGE; then the commit before it
 * is still the newest, unless the manifest had been made: then either is.
 */
export async function writeManifest(directory: Directory, manifest: Manifest): Promise<boolean> {
  const { generation } = manifest;
  const created = await directory.createExclusive(manifestFileName(generation), encodeManifest(manifest));
  return created && (await newestGeneration(directory)) === generation;
}

/** The bytes of a manifest's file. Throws `InvalidArgumentError` when the manifest is not well-formed. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const parsed = z.safeParse(manifestSchema, manifest);
  if (!parsed.success) {
    throw new InvalidArgumentError(`writeManifest: not a manifest: ${firstIssue(parsed.error)}`);
  }
  const body = { formatVersion: FORMAT_VERSION, ...parsed.data };
  return new TextEncoder().encode(JSON.stringify({ checksum: checksumOf(body), ...body }));
}

/**
 * The newest manifest: the index. Undefined without any. A damaged one is an error even if an older one is whole, since
 * writes that were acknowledged would be lost without a word. Only where creating it was broken off, so that nobody was
 * told of it, does the one before stand: a temporary file of its own still lies beside it then.
 *
 * A writer may remove the files of an older manifest while they are being read: a reader that then meets NOT_FOUND
 * starts again from here.
 *
 * Throws `IndexError` CORRUPT_INDEX unless the manifest's checksum is right, it is well-formed and all its files are there
 * in their size, INDEX_MISMATCH when it has a format that this version of the library does not read, STORAGE.
 *
 * @param method names the caller in errors
 */
export async function readNewestManifest(directory: Directory, method = "open"): Promise<Manifest | undefined> {
  let generations: number[] = [];
  let problems: string[] = [];
  for (let race = 0; race < MAX_RACES; race++) {
    const names = await directory.list();
    const newest = generations[0];
    generations = generationsIn(names);
    if (generations.length === 0) return undefined;
    // Nothing was committed since the last look, so what was missing then was not merely replaced.
    if (generations[0] === newest) break;
    problems = [];
    for (const generation of generations) {
      const result = await readManifest(directory, generation, method);
      if (!("problem" in result)) return result;
      problems.push(`${manifestFileName(generation)} ${result.problem}`);
      if (!(result.mayBeTorn && isCreationBrokenOff(generation, names))) break;
    }
  }
  const older = await newestWhole(directory, generations.slice(problems.length), method);
  const otherwise =
    older === undefined
      ? "build it again"
      : `remove ${manifestFileName(generations[problems.length - 1])} to go back to commit ${older}, which is whole: what was written after that is lost then`;
  throw new IndexError(
    "CORRUPT_INDEX",
    `${method}: the newest commit cannot be read: ${problems.slice(0, 3).join("; ")}. Restore the index from a backup, or ${otherwise}.`,
  );
}

/** Whether a directory that cannot make a file appear whole (`Directory.createExclusive`) was at it when it stopped. */
function isCreationBrokenOff(generation: number, names: readonly string[]): boolean {
  return names.some((name) => name.endsWith(".tmp") && name.startsWith(`${manifestFileName(generation)}.`));
}

/** The first of the generations whose manifest checks out: for advice, so what cannot be read is merely not whole. */
async function newestWhole(
  directory: Directory,
  generations: readonly number[],
  method: string,
): Promise<number | undefined> {
  for (const generation of generations) {
    const result = await readManifest(directory, generation, method).catch(() => undefined);
    if (result !== undefined && !("problem" in result)) return generation;
  }
  return undefined;
}

/**
 * Garbage collection after a commit: removes segment files, files of dead passages, older manifests and temporary
 * files that neither the manifest nor `keep` names. Other files are left alone, and so are those of later generations:
 * they are another writer's, which has taken over. With the manifest that the caller has just written; `keep` names
 * files of a commit in preparation. Returns what it removed.
 * Throws `IndexError` STORAGE; the index is whole then, and the next call removes the rest.
 */
export async function removeUnreferenced(
  directory: Directory,
  manifest: Manifest,
  keep: Iterable<string> = [],
): Promise<string[]> {
  const kept = new Set([...filesOf(manifest), manifestFileName(manifest.generation), ...keep]);
  // Ascending, so an older manifest goes before the segments that it alone refers to.
  const removed = (await directory.list()).filter(
    (name) => !kept.has(name) && generationOf(name) <= manifest.generation,
  );
  for (const name of removed) await directory.remove(name);
  return removed;
}

/** What is wrong with a manifest. */
interface Damage {
  readonly problem: string;
  /** Its bytes are not what was written, as when their copying was broken off. */
  readonly mayBeTorn: boolean;
}

function damage(problem: string): Damage {
  return { problem, mayBeTorn: false };
}

/** The manifest, or what is wrong with it. */
async function readManifest(directory: Directory, generation: number, method: string): Promise<Manifest | Damage> {
  const name = manifestFileName(generation);
  const length = await orMissing(directory.size(name));
  if (length !== undefined && length > MAX_MANIFEST_BYTES)
    return damage(`has ${length} bytes, too many for a manifest`);
  const bytes = await orMissing(directory.read(name));
  if (bytes === undefined) return damage("is missing");
  const envelope = openEnvelope(bytes);
  if (typeof envelope === "string") return { problem: envelope, mayBeTorn: true };
  const { formatVersion, checksum: _, ...fields } = envelope;
  const parsed = readerOf(READERS, formatVersion, `${method}: ${name}`)(fields);
  if (!parsed.success) return damage(`is not well-formed: ${firstIssue(parsed.error)}`);
  if (parsed.data.generation !== generation) return damage(`calls itself generation ${parsed.data.generation}`);
  for (const { file, bytes: size, dead } of parsed.data.segments) {
    for (const expected of isInline(dead) ? [{ file, bytes: size }] : [{ file, bytes: size }, dead]) {
      const found = await orMissing(directory.size(expected.file));
      if (found === undefined) return damage(`refers to ${expected.file}, which is missing`);
      if (found !== expected.bytes)
        return damage(`refers to ${expected.file} of ${expected.bytes} bytes, which has ${found}`);
    }
  }
  return parsed.data;
}

/** Of the commit that a file was written for; 0 for what is left of a lock's creation, Infinity for what is not ours. */
function generationOf(name: string): number {
  const match = OWN_FILE.exec(name);
  return match === null ? Infinity : Number(match[1] ?? match[2] ?? 0);
}

/** The object of a manifest's bytes, its checksum verified; or what is wrong with them. */
function openEnvelope(bytes: Uint8Array): z.infer<typeof envelopeSchema> | string {
  let json: unknown;
  let checksum: number;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    // Of what was parsed, not of the schema's copy: the checksum depends on the order of the fields.
    checksum = checksumOf({ ...(json as object), checksum: undefined });
  } catch {
    // Also of JSON that is nested too deep to be written again.
    return "is no JSON";
  }
  const parsed = z.safeParse(envelopeSchema, json);
  if (!parsed.success) return "has no checksum or format version";
  return parsed.data.checksum === checksum ? parsed.data : "has a wrong checksum";
}

async function orMissing<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof IndexError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

function checksumOf(body: object): number {
  return crc32(new TextEncoder().encode(JSON.stringify(body)));
}

function deadFit({ passages, dead }: ManifestSegment): boolean {
  return deadCount(dead) <= passages && (!isInline(dead) || dead.every((ordinal) => ordinal < passages));
}

/** Newest first. */
function generationsIn(names: readonly string[]): number[] {
  const generations = [];
  for (const name of names) {
    const digits = /^manifest-(\d{12})\.json$/.exec(name);
    if (digits !== null) generations.push(Number(digits[1]));
  }
  return generations.reverse();
}

function pad(generation: number): string {
  return String(generation).padStart(12, "0");
}
