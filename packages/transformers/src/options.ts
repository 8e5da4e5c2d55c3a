import { checkNames, InvalidArgumentError, show } from "@trigraph/core";
import { DEFAULT_QUANTIZED, DEFAULT_REVISION } from "./defaults.js";

/** How far a model's files are loaded, in bytes. Small files come at once. */
export interface ModelProgress {
  readonly model: string;
  readonly file: string;
  readonly loaded: number;
  /** Grows with `loaded` where the server does not say. */
  readonly total: number;
}

/** Which model, and where its files are. */
export interface ModelOptions {
  /** Name on the hub, as in `"Xenova/all-MiniLM-L6-v2"`; also the folder under `localModelPath`. */
  readonly model: string;
  /** Branch, tag or commit on the hub. Default `"main"`. Of local models it is only a name. */
  readonly revision?: string | undefined;
  /** Load `onnx/model_quantized.onnx` rather than `onnx/model.onnx`. Default true: a quarter of the size. */
  readonly quantized?: boolean | undefined;
  /** Folder (in browsers: address) whose subfolders are models. Looked at first. Default: that of `env` in the library. */
  readonly localModelPath?: string | undefined;
  /** False: offline, nothing is ever downloaded. Default: what `env` in the library says, which is true. */
  readonly allowRemoteModels?: boolean | undefined;
  /** Folder for what was downloaded, in Node. Default: that of `env` in the library, inside its package. */
  readonly cacheDir?: string | undefined;
  /** Word pieces of a text that are read, special ones included. Default, and the greatest: what the model can read. */
  readonly maxTokens?: number | undefined;
  /** Called while files are loaded; not when another user of the same model has loaded it already. */
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined;
}

export const MODEL_OPTIONS = [
  "model",
  "revision",
  "quantized",
  "localModelPath",
  "allowRemoteModels",
  "cacheDir",
  "maxTokens",
  "onProgress",
];

const KINDS: Readonly<Record<string, string>> = {
  revision: "string",
  quantized: "boolean",
  localModelPath: "string",
  allowRemoteModels: "boolean",
  cacheDir: "string",
  onProgress: "function",
};

/** @throws InvalidArgumentError */
export function checkModelOptions(method: string, options: unknown, others: readonly string[] = []): void {
  checkNames(method, options, [...MODEL_OPTIONS, ...others]);
  const given = options as Record<string, unknown>;
  if (typeof given.model !== "string" || given.model === "") {
    throw new InvalidArgumentError(
      `${method}: expected the name of a model, as in "Xenova/all-MiniLM-L6-v2", got ${show(given.model)}.`,
    );
  }
  for (const [name, kind] of Object.entries(KINDS)) checkKind(method, given, name, kind);
  checkCount(method, "maxTokens", given.maxTokens);
}

/** @throws InvalidArgumentError unless the option is absent or of the kind */
export function checkKind(method: string, options: object, name: string, kind: string): void {
  const value = (options as Record<string, unknown>)[name];
  if (value === undefined || typeof value === kind) return;
  throw new InvalidArgumentError(`${method}: expected ${name} to be a ${kind}, got ${show(value)}.`);
}

/** @throws InvalidArgumentError unless the option is absent or an integer of at least 1 */
export function checkCount(method: string, name: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1)) return;
  throw new InvalidArgumentError(`${method}: expected ${name} to be an integer of at least 1, got ${show(value)}.`);
}

/** Names a model and whatever else changes what it answers: part of an embedder's or analyzer's id. */
export function modelId(options: ModelOptions, settings: readonly string[]): string {
  const { model, revision = DEFAULT_REVISION, quantized = DEFAULT_QUANTIZED, maxTokens } = options;
  const parts = [`transformers:${model}@${revision}`, quantized ? "quantized" : "float", ...settings];
  if (maxTokens !== undefined) parts.push(`maxTokens=${maxTokens}`);
  return parts.join(" ");
}
