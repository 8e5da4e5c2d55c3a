/** The index of the page, in a worker of its own: the page stays alive while it is built. */
import { type Passage, type Progress, type RetrievedPassage, type Span, TriGraph } from "@trigraph/core";
import { BrowserDirectory } from "@trigraph/core/web";
import { expose } from "comlink";
import { documentPassages } from "@trigraph/console/documents";
import { describePath, type PathInWords } from "@trigraph/console/path";

const DATABASE = "trigraph-example";
const K = 5;

/** A corpus of Wikipedia's that comes with the demo. */
const SAMPLE = new URL("../../demo/data/corpus.jsonl", import.meta.url);

export interface Answer {
  readonly title: string;
  readonly text: string;
  /** The sentence that matters most to the question. */
  readonly sentence: Span | undefined;
  readonly path: PathInWords;
}

/** Fraction of the passages that are read; undefined while that is unknown. */
export type OnProgress = (share: number | undefined) => void;

let index: TriGraph | undefined;

const library = {
  /** Opens what an earlier visit has left, and tells how many passages that are. */
  async open(): Promise<number> {
    index = await TriGraph.open(new BrowserDirectory(DATABASE), { create: true });
    return index.size;
  },

  /** Adds files, or replaces what they held before. Tells how many passages there are then. */
  async addFiles(files: readonly File[], onProgress: OnProgress): Promise<number> {
    const passages: Passage[] = [];
    for (const file of files) passages.push(...(await documentPassages(file.name, await file.text())));
    const ids = new Set(passages.map(({ id }) => id));
    const names = new Set(files.map(({ name }) => name));
    const old = [...opened().passages()].filter(
      ({ id, metadata }) => typeof metadata?.file === "string" && names.has(metadata.file) && !ids.has(id),
    );
    await add(passages, onProgress);
    await opened().delete(old.map(({ id }) => id));
    return opened().size;
  },

  async addSample(onProgress: OnProgress): Promise<number> {
    const response = await fetch(SAMPLE);
    if (!response.ok) throw new Error(`The sample could not be loaded: ${response.status} ${response.statusText}`);
    const lines = (await response.text()).trim().split("\n");
    await add(
      lines.map((line) => JSON.parse(line) as Passage),
      onProgress,
    );
    return opened().size;
  },

  async ask(question: string): Promise<Answer[]> {
    const hits = await opened().retrieve(question, { k: K, explain: true });
    return hits.map((hit) => toAnswer(question, hit));
  },

  async clear(): Promise<void> {
    await opened().delete([...opened().passages()].map(({ id }) => id));
  },
};

export type Library = typeof library;

function opened(): TriGraph {
  if (index === undefined) throw new Error("The index is not open.");
  return index;
}

async function add(passages: readonly Passage[], onProgress: OnProgress): Promise<void> {
  const report = ({ done, total }: Progress) => onProgress(total === undefined ? undefined : done / total);
  await opened().upsert(passages, { onProgress: report });
}

function toAnswer(question: string, { passage, evidence }: RetrievedPassage): Answer {
  if (evidence === undefined) throw new Error("expected hits with their evidence");
  const { id, text, title = id } = passage;
  const path = describePath(question, evidence, (id) => opened().get(id)!);
  return { title, text, sentence: evidence.sentence?.span, path };
}

expose(library);
