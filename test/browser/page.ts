/** What the tests ask of a page. Bundled with the library as it is built, and never loaded by Node. */
import { TriGraph, TriGraphError } from "@trigraph/core";
import { BrowserDirectory } from "@trigraph/core/web";
import { askAll, vectorOptions } from "./asking.js";

/** What a call came to. Errors do not cross to the tests as they are. */
export type Outcome<T> = { readonly value: T } | { readonly error: Failure };

export interface Failure {
  readonly name: string;
  readonly code: string | undefined;
  readonly message: string;
}

/** A passage on the way to a page. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export type Method = "list" | "size" | "read" | "write" | "sync" | "replace" | "createExclusive" | "remove";

/** Bytes on the way to and from a page. */
export interface Bytes {
  readonly bytes: readonly number[];
}

const lab = {
  /** Opens an index, in the place of the one before, and tells its size. */
  open: (name: string, { vectors = false, create = false } = {}) =>
    settle(async () => {
      const options = { create, ...(vectors ? vectorOptions() : {}) };
      index = await TriGraph.open(new BrowserDirectory(name), options);
      return index.size;
    }),
  upsert: (passages: readonly Row[]) => settle(() => opened().upsert(passages)),
  /** Aborted at the first sign of progress. */
  upsertAborted: (passages: readonly Row[]) =>
    settle(() => {
      const control = new AbortController();
      return opened().upsert(passages, { signal: control.signal, onProgress: () => control.abort() });
    }),
  delete: (ids: readonly string[]) => settle(() => opened().delete(ids)),
  ask: (questions: readonly string[]) => settle(() => askAll(opened(), questions)),
  check: () => settle(() => opened().check()),
  close: () => settle(() => opened().close()),

  /** How many modules of WebAssembly the page has set up. */
  kernels: () => kernels,

  /** A method of a directory. */
  call: (name: string, method: Method, args: readonly unknown[]) =>
    settle(async (): Promise<unknown> => {
      const directory = directoryOf(name);
      const value = await directory[method](...args.map(fromWire));
      return value instanceof Uint8Array ? { bytes: [...value] } : value;
    }),
};

let index: TriGraph | undefined;
let kernels = 0;
/** A directory that is told what to do by a message. */
type Told = Record<Method, (...args: unknown[]) => Promise<unknown>>;

const directories = new Map<string, Told>();

function opened(): TriGraph {
  if (index === undefined) throw new Error("expected an index to be open");
  return index;
}

function directoryOf(name: string): Told {
  const directory = directories.get(name) ?? (new BrowserDirectory(name) as unknown as Told);
  directories.set(name, directory);
  return directory;
}

function fromWire(arg: unknown): unknown {
  if (Array.isArray(arg)) return arg.map(fromWire);
  const { bytes } = Object(arg) as Partial<Bytes>;
  return bytes === undefined ? arg : Uint8Array.from(bytes);
}

async function settle<T>(act: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await act() };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message, code: error instanceof TriGraphError ? error.code : undefined } };
  }
}

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    super(module, imports);
    kernels++;
  }
};

declare global {
  interface Window {
    lab: typeof lab;
  }
}

window.lab = lab;
