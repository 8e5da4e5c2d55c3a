import type { Passage } from "@trigraph/core";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "./errors.js";

/**
 * The real data: a folder of JSON Lines files.
 *
 *     2wikimultihopqa/{corpus,questions}.jsonl   2WikiMultiHopQA (Ho et al. 2020, Apache-2.0)
 *     hotpotqa/{corpus,questions}.jsonl          HotpotQA (Yang et al. 2018, CC BY-SA 4.0)
 *     musique/{corpus,questions}.jsonl           MuSiQue (Trivedi et al. 2022, CC BY 4.0)
 *     novel/{corpus,questions}.jsonl             GraphRAG-Bench, novel part (arXiv 2506.05690, MIT; Project Gutenberg)
 *     distractors.jsonl                          more passages of Wikipedia (CC BY-SA), for the mix
 *
 * Public sources: https://github.com/Alab-NII/2wikimultihop, https://hotpotqa.github.io,
 * https://github.com/StonyBrookNLP/musique, https://github.com/GraphRAG-Bench/GraphRAG-Benchmark; the corpora of 1,000
 * questions each that HippoRAG and LinearRAG used are at https://huggingface.co/datasets/osunlp/HippoRAG_2.
 *
 * A corpus row is `{id, title, text}`, a question row `{id, question, type, gold}`, where `gold` lists the ids of the
 * passages that together hold the evidence. A row of `novel` has `evidence: [{text, passages}]` as well: each
 * statement with the ids of the passages that hold it, any one of them being enough, or none where no place could be
 * trusted; its `gold` is null when a statement has no place.
 */
export const SET_NAMES = ["2wikimultihopqa", "hotpotqa", "musique", "novel"] as const;

export type SetName = (typeof SET_NAMES)[number];

/** The corpora that the mix joins with the distractors. */
const MIXED: readonly SetName[] = ["2wikimultihopqa", "hotpotqa", "musique"];

/** How a set is called in tables. */
export const TITLES: Readonly<Record<SetName, string>> = {
  "2wikimultihopqa": "2Wiki",
  hotpotqa: "Hotpot",
  musique: "MuSiQue",
  novel: "novel",
};

/** A statement that an answer rests on, and the passages that hold it; any one of them is enough. */
export interface Evidence {
  readonly text: string;
  /** Empty where no place could be trusted. */
  readonly passages: readonly string[];
}

export interface Question {
  readonly id: string;
  readonly question: string;
  readonly type: string;
  /** The passages that together hold the evidence; null where they are not known and `evidence` says what counts. */
  readonly gold: readonly string[] | null;
  /** Present where recall counts statements instead of passages. */
  readonly evidence?: readonly Evidence[];
}

export interface DataSet {
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
}

/** Reads the data folder; what is wrong with it is a UsageError that says where. */
export class DataFolder {
  readonly #folder: string;

  constructor(folder: string | undefined) {
    if (folder === undefined) {
      throw new UsageError("real data needs --data FOLDER; its layout is described in bench/src/data-sets.ts");
    }
    if (!existsSync(folder)) throw new UsageError(`--data: there is no folder "${folder}"`);
    this.#folder = folder;
  }

  /** One of the data sets with its own corpus. */
  readSet(name: SetName): DataSet {
    const passages = this.#readPassages(`${name}/corpus.jsonl`);
    return { passages, questions: this.#readQuestions(name, new Set(passages.map(({ id }) => id))) };
  }

  /** Three corpora and the distractors in one, with the questions of the three sets. */
  readMix(): { readonly passages: readonly Passage[]; readonly questions: ReadonlyMap<SetName, readonly Question[]> } {
    const passages: Passage[] = [];
    const questions = new Map<SetName, readonly Question[]>();
    for (const name of MIXED) {
      const set = this.readSet(name);
      for (const passage of set.passages) passages.push(passage);
      questions.set(name, set.questions);
    }
    for (const passage of this.#readPassages("distractors.jsonl")) passages.push(passage);
    return { passages, questions };
  }

  #readPassages(file: string): Passage[] {
    const ids = new Set<string>();
    return this.#readRows(file, (row) => {
      const { id, title, text } = row;
      if (!isText(id) || id === "" || typeof text !== "string") return "expected {id, title?, text}";
      if (title !== undefined && typeof title !== "string") return "title is no string";
      if (ids.has(id)) return `id "${id}" occurs twice`;
      ids.add(id);
      return title === undefined ? { id, text } : { id, title, text };
    });
  }

  #readQuestions(name: SetName, known: ReadonlySet<string>): Question[] {
    return this.#readRows(`${name}/questions.jsonl`, (row) => readQuestion(row, known));
  }

  /** @param read the row's meaning, or what is wrong with it */
  #readRows<T extends object>(file: string, read: (row: Record<string, unknown>) => T | string): T[] {
    const path = join(this.#folder, file);
    if (!existsSync(path)) throw new UsageError(`--data: "${file}" is missing in the folder`);
    const rows: T[] = [];
    for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
      if (line.trim() === "") continue;
      const found = parseRow(line, read);
      if (typeof found === "string") throw new UsageError(`--data: ${file}, line ${index + 1}: ${found}`);
      rows.push(found);
    }
    if (rows.length === 0) throw new UsageError(`--data: ${file} holds no rows`);
    return rows;
  }
}

function parseRow<T extends object>(line: string, read: (row: Record<string, unknown>) => T | string): T | string {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (error) {
    return `no JSON (${String(error)})`;
  }
  if (typeof row !== "object" || row === null) return "expected an object";
  return read(row as Record<string, unknown>);
}

function readQuestion(row: Record<string, unknown>, known: ReadonlySet<string>): Question | string {
  const { id, question, type, gold, evidence } = row;
  if (!isText(id) || !isText(question)) return "expected {id, question, type, gold}";
  const base = { id, question, type: typeof type === "string" ? type : "" };
  if (evidence === undefined) {
    if (!isIdList(gold, known) || gold.length === 0) return "gold must list ids of the corpus, at least one";
    return { ...base, gold };
  }
  if (!isEvidence(evidence, known)) return "evidence must list {text, passages} with ids of the corpus";
  if (evidence.every(({ passages }) => passages.length === 0)) return "no statement of the evidence has a passage";
  if (gold !== null && !isIdList(gold, known)) return "gold must be null or list ids of the corpus";
  return { ...base, gold, evidence };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isIdList(value: unknown, known: ReadonlySet<string>): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => isText(id) && known.has(id));
}

function isEvidence(value: unknown, known: ReadonlySet<string>): value is readonly Evidence[] {
  return (
    Array.isArray(value) &&
    value.every((item: Partial<Evidence> | null) => isText(item?.text) && isIdList(item.passages, known))
  );
}
