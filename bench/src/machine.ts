import { arch, cpus, platform, totalmem } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What the figures depend on beside the code. No host name and no paths. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly platform: string;
  readonly node: string;
  readonly date: string;
}

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Bytes of this process. */
export interface Memory {
  /** Resident: what the operating system has given, freed memory included that V8 keeps. */
  readonly rss: number;
  readonly heap: number;
  /** Typed arrays; part of what Node calls external. */
  readonly arrayBuffers: number;
}

/** The memory in use after garbage collection. */
export function measureMemory(): Memory {
  // Twice: what finalizers release goes with the second round.
  collectGarbage();
  collectGarbage();
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss, heap: heapUsed, arrayBuffers };
}

/** The most memory that was ever resident in this process, in bytes. */
export function peakMemory(): number {
  return process.resourceUsage().maxRSS * 1024;
}

let gc: (() => void) | undefined;

function collectGarbage(): void {
  if (gc === undefined) {
    setFlagsFromString("--expose-gc");
    gc = runInNewContext("gc") as () => void;
  }
  gc();
}
