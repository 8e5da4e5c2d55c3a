import { type ByteRange, type Directory, IndexError, InvalidArgumentError } from "@trigraph/core";
import type { Page } from "playwright-core";
import type { Bytes, Failure, Method } from "./page.js";

/** A directory of a page. */
export class RemoteDirectory implements Directory {
  private readonly page: Page;
  private readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  list = () => this.call<string[]>("list");
  size = (name: string) => this.call<number>("size", name);
  sync = (names: readonly string[]) => this.call<void>("sync", names);
  replace = (from: string, to: string) => this.call<void>("replace", from, to);
  remove = (name: string) => this.call<void>("remove", name);
  write = (name: string, chunks: readonly Uint8Array[]) => this.call<void>("write", name, chunks.map(toWire));
  createExclusive = (name: string, bytes: Uint8Array) => this.call<boolean>("createExclusive", name, toWire(bytes));

  async read(name: string, range?: ByteRange): Promise<Uint8Array> {
    return Uint8Array.from((await this.call<Bytes>("read", name, range)).bytes);
  }

  private async call<T>(method: Method, ...args: unknown[]): Promise<T> {
    const call = [this.name, method, args] as const;
    const outcome = await this.page.evaluate((call) => window.lab.call(...call), call);
    if ("error" in outcome) throw toError(outcome.error);
    return outcome.value as T;
  }
}

function toWire(bytes: Uint8Array): Bytes {
  return { bytes: [...bytes] };
}

function toError({ name, code, message }: Failure): Error {
  if (code === "INVALID_ARGUMENT") return new InvalidArgumentError(message);
  if (name === "IndexError") return new IndexError(code as IndexError["code"], message);
  return new Error(`${name}: ${message}`);
}
