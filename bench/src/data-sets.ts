import type { Passage } from "@trigraph/core";
import {
  EvaluationError,
  parseCorpora,
  parseQuestions,
  placesOf,
  type NamedText,
  type Question,
} from "@trigraph/evaluation";
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
    return this.#parse(file, (text) => parseCorpora([text]));
  }

  #readQuestions(name: SetName, known: ReadonlySet<string>): Question[] {
    return this.#parse(`${name}/questions.jsonl`, (text) => {
      const questions = parseQuestions([text], (id) => known.has(id));
      const unknown = questions.find((question) => placesOf(question).length === 0);
      if (unknown === undefined) return questions;
      throw new UsageError(`--data: ${text.name}: expected gold or placed evidence, question "${unknown.id}" has none`);
    });
  }

  #parse<T>(file: string, parse: (text: NamedText) => T): T {
    const path = join(this.#folder, file);
    if (!existsSync(path)) throw new UsageError(`--data: "${file}" is missing in the folder`);
    try {
      return parse({ name: file, text: readFileSync(path, "utf8") });
    } catch (error) {
      throw error instanceof EvaluationError ? new UsageError(`--data: ${error.message}`) : error;
    }
  }
}
