/** One instance of a model for all who use it with the same options. */
import { abortable, ClosedError, InvalidArgumentError } from "@trigraph/core";
import { DEFAULT_QUANTIZED, DEFAULT_REVISION } from "./defaults.js";
import { messageOf, ModelError } from "./errors.js";
import { type Library, loadLibrary } from "./library.js";
import { Model } from "./model.js";
import type { ModelOptions, ModelProgress } from "./options.js";

/** What a model is for: it decides the head that is loaded. */
export type ModelKind = "encoder" | "entities" | "pairs";

const LOADERS = {
  encoder: "AutoModel",
  entities: "AutoModelForTokenClassification",
  pairs: "AutoModelForSequenceClassification",
} as const satisfies Record<ModelKind, keyof Library>;

interface Entry {
  readonly model: Promise<Model>;
  readonly listeners: Set<(progress: ModelProgress) => void>;
  users: number;
}

/** Loaded or loading models by what tells them apart. */
const entries = new Map<string, Entry>();

/** Where the library looks for models is a setting of the whole process: loads change it, so they come one by one. */
let lastLoad: Promise<unknown> = Promise.resolve();

/** A share in a model, from its first use until it is disposed of. */
export class SharedModel {
  readonly #owner: string;
  readonly #kind: ModelKind;
  readonly #options: ModelOptions;
  readonly #key: string;
  #entry: Entry | undefined;
  #isDisposed = false;

  /** @param owner names the class in errors */
  constructor(owner: string, kind: ModelKind, options: ModelOptions) {
    const { model, revision, quantized, localModelPath, allowRemoteModels, cacheDir } = options;
    this.#owner = owner;
    this.#kind = kind;
    this.#options = options;
    this.#key = JSON.stringify([
      kind,
      model,
      revision ?? DEFAULT_REVISION,
      quantized ?? DEFAULT_QUANTIZED,
      localModelPath ?? null,
      allowRemoteModels ?? null,
      cacheDir ?? null,
    ]);
  }

  /**
   * Loads the model, once. An abort ends the waiting; what is being loaded comes in, for the next call.
   *
   * @throws ModelError, ClosedError, InvalidArgumentError, or the signal's reason
   */
  async load(signal?: AbortSignal): Promise<Model> {
    this.#assertAlive();
    signal?.throwIfAborted();
    this.#entry ??= this.#join();
    const model = await abortable(this.#wait(this.#entry), signal);
    this.#assertAlive();
    const { maxTokens } = this.#options;
    if (maxTokens === undefined || maxTokens <= model.maxTokens) return model;
    throw new InvalidArgumentError(
      `${this.#owner}: expected maxTokens of at most ${model.maxTokens}, which is what ${model.name} can read, got ${maxTokens}.`,
    );
  }

  /** Gives the share up; the last one frees the model. Calling it again does nothing. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const entry = this.#entry;
    this.#entry = undefined;
    if (entry === undefined) return;
    this.#forgetListener(entry);
    if (--entry.users > 0) return;
    if (entries.get(this.#key) === entry) entries.delete(this.#key);
    // One that did not load has nothing to free.
    const model = await entry.model.catch(() => undefined);
    await model?.dispose();
  }

  #assertAlive(): void {
    if (this.#isDisposed) throw new ClosedError(`${this.#owner}: the model was disposed of. Make another one.`);
  }

  #join(): Entry {
    let entry = entries.get(this.#key);
    if (entry === undefined) {
      const listeners = new Set<(progress: ModelProgress) => void>();
      entry = {
        model: oneByOne(() => loadModel(this.#owner, this.#kind, this.#options, listeners)),
        listeners,
        users: 0,
      };
      entries.set(this.#key, entry);
    }
    entry.users++;
    if (this.#options.onProgress !== undefined) entry.listeners.add(this.#options.onProgress);
    return entry;
  }

  async #wait(entry: Entry): Promise<Model> {
    try {
      return await entry.model;
    } catch (error) {
      // The next call tries anew.
      if (entries.get(this.#key) === entry) entries.delete(this.#key);
      if (this.#entry === entry) this.#entry = undefined;
      throw error;
    } finally {
      this.#forgetListener(entry);
    }
  }

  #forgetListener({ listeners }: Entry): void {
    if (this.#options.onProgress !== undefined) listeners.delete(this.#options.onProgress);
  }
}

function oneByOne<T>(task: () => Promise<T>): Promise<T> {
  const result = lastLoad.then(task);
  lastLoad = result.catch(() => undefined);
  return result;
}

async function loadModel(
  owner: string,
  kind: ModelKind,
  options: ModelOptions,
  listeners: ReadonlySet<(progress: ModelProgress) => void>,
): Promise<Model> {
  const library = await loadLibrary(owner);
  const { model, revision = DEFAULT_REVISION, quantized = DEFAULT_QUANTIZED, cacheDir } = options;
  const pretrained = {
    revision,
    quantized,
    progress_callback: (event: unknown) => tell(model, event, listeners),
    ...(cacheDir !== undefined && { cache_dir: cacheDir }),
  };
  try {
    return await withSettings(library, options, async () => {
      const tokenizer = await library.AutoTokenizer.from_pretrained(model, pretrained);
      const network = await library[LOADERS[kind]].from_pretrained(model, pretrained);
      return new Model(model, tokenizer, network, library.Tensor);
    });
  } catch (cause) {
    throw new ModelError("MODEL", `${owner}: ${describe(library, kind, options)}, got: ${messageOf(cause)}`, { cause });
  }
}

/** What the library's types leave open. */
interface Settings {
  localModelPath: string;
  allowRemoteModels: boolean;
}

/** The library as these options want it, for as long as the task takes. */
async function withSettings<T>(library: Library, options: ModelOptions, task: () => Promise<T>): Promise<T> {
  const env: Settings = library.env;
  const before = { localModelPath: env.localModelPath, allowRemoteModels: env.allowRemoteModels };
  env.localModelPath = options.localModelPath ?? before.localModelPath;
  env.allowRemoteModels = options.allowRemoteModels ?? before.allowRemoteModels;
  try {
    return await task();
  } finally {
    Object.assign(env, before);
  }
}

/** What was expected where, and what to do. */
function describe({ env }: Library, kind: ModelKind, options: ModelOptions): string {
  const { model, quantized = DEFAULT_QUANTIZED } = options;
  const folder = `${options.localModelPath ?? env.localModelPath}/${model}`.replace("//", "/");
  const files = `config.json, tokenizer.json, tokenizer_config.json and onnx/model${quantized ? "_quantized" : ""}.onnx`;
  const isOffline = !(options.allowRemoteModels ?? env.allowRemoteModels);
  const elsewhere = isOffline ? "" : `, or the model on ${env.remoteHost}`;
  const advice = isOffline
    ? "Put the files there, set localModelPath, or let it be downloaded with allowRemoteModels: true"
    : "Check the name and the connection, or put the files there and set localModelPath";
  const head = kind === "encoder" ? "" : ` with a head for ${kind}`;
  return `expected ${files} of a model${head} in ${folder}${elsewhere}. ${advice}`;
}

/** What the library tells while it loads a file. */
interface LoadEvent {
  readonly status?: unknown;
  readonly file?: string;
  readonly loaded?: number;
  readonly total?: number;
}

function tell(model: string, event: unknown, listeners: ReadonlySet<(progress: ModelProgress) => void>): void {
  const { status, file = "", loaded = 0, total = 0 } = event as LoadEvent;
  if (status !== "progress") return;
  for (const listener of listeners) listener({ model, file, loaded, total });
}
