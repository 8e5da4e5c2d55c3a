import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type FusionModel, InvalidArgumentError, TriGraph } from "@trigraph/core";
import { z } from "zod";
import { readJson } from "../data/json-file.js";
import { EvaluationError, messageOf } from "../errors.js";

/**
 * Reads weights of stage 3 that `train` has made.
 *
 * @throws EvaluationError `DATA` when the file cannot be read, or the core does not take it
 */
export async function readFusion(file: string, signal?: AbortSignal): Promise<FusionModel> {
  const fusion = (await readJson(file, z.looseObject({ format: z.int() }), "a fusion model", signal)) as unknown;
  try {
    // The core knows what a model is, and an index is where it says so.
    await (await TriGraph.create({ ranking: { fusion: fusion as FusionModel } })).close();
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new EvaluationError("DATA", `${file}: expected a fusion model. ${error.message}`, { cause: error });
  }
  return fusion as FusionModel;
}

/** Makes the folder that a file will be in. @throws EvaluationError `DATA` when it cannot be made */
export async function prepareFolder(file: string): Promise<void> {
  await orThrow(file, () => mkdir(dirname(file), { recursive: true }));
}

/** @throws EvaluationError `DATA` when the file cannot be written */
export async function writeFusion(file: string, model: FusionModel): Promise<void> {
  await orThrow(file, () => writeFile(file, `${JSON.stringify(model, null, 1)}\n`));
}

async function orThrow(file: string, task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    throw new EvaluationError("DATA", `${file}: cannot be written: ${messageOf(error)}.`, { cause: error });
  }
}
