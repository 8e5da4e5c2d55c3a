/**
 * The index of the bundled corpus, kept from one run to the next: reading it takes a twentieth of the time that
 * building it does, which is most of a run. Indexes of other corpora are not kept.
 */
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rename, rm, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TriGraph, TriGraphError, type Passage } from "@trigraph/core";
import { FileDirectory } from "@trigraph/core/node";

const FOLDER = fileURLToPath(new URL("../node_modules/.cache/trigraph-demo", import.meta.url));

/** @param folder where indexes are kept */
export async function openOrBuild(passages: readonly Passage[], folder: string = FOLDER): Promise<TriGraph> {
  const name = await nameFor(passages);
  const kept = await openKept(join(folder, name));
  if (kept !== undefined) return kept;
  const built = await TriGraph.create();
  await built.upsert(passages);
  await keep(built, folder, name);
  return built;
}

/** Another name for other passages, and for another build of the library, which might index them in another way. */
async function nameFor(passages: readonly Passage[]): Promise<string> {
  const library = await readFile(createRequire(import.meta.url).resolve("@trigraph/core"));
  return createHash("sha256").update(library).update(JSON.stringify(passages)).digest("hex").slice(0, 16);
}

async function openKept(path: string): Promise<TriGraph | undefined> {
  try {
    return await TriGraph.open(new FileDirectory(path), { readOnly: true });
  } catch (error) {
    // None there yet, or one that cannot be trusted: build it.
    if (error instanceof TriGraphError) return undefined;
    throw error;
  }
}

/** Whole or not at all, whatever else runs. That it cannot be kept, in a folder that is read-only, is no error. */
async function keep(index: TriGraph, folder: string, name: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const before = await readdir(folder);
    const made = await mkdtemp(join(folder, "new-"));
    await index.save(new FileDirectory(made));
    for (const old of before) await rm(join(folder, old), { recursive: true, force: true });
    await rename(made, join(folder, name));
  } catch {
    return;
  }
}
