/** Damage to the files of an index: such as happens, and such as is made with right checksums. */
import type { Files } from "./directories/memory.js";
import {
  describe,
  isManifest,
  type ManifestJson,
  openSegment,
  parseManifest,
  sealManifest,
  sealSegment,
  sizeOf,
  type TableJson,
} from "./formats.js";
import type { Random } from "./random.js";

export interface Mutation {
  readonly name: string;
  /** Checksums were made right: an index that says something else may come of it. */
  readonly isForged: boolean;
  /** The files after it; undefined when there is nothing to do it to. */
  readonly apply: (files: Files, random: Random, earlier: readonly Files[]) => Map<string, Uint8Array> | undefined;
}

const LOCK = "write.lock";

/** Numbers at the edges of what fields hold. */
const EDGES = [0, 1, 2, 127, 128, 255, 256, 65_535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -1, 0.5];

const VALUES = [...EDGES, 1e300, null, "", "x", "segment-000000000001-0.seg", "../x", "__proto__", [], {}, true];

export const MUTATIONS: readonly Mutation[] = [
  inFile("flipped bits", (bytes, random) => {
    const changed = bytes.slice();
    for (let flips = random.between(1, 4); flips > 0; flips--)
      changed[random.below(bytes.length)] ^= 1 << random.below(8);
    return changed;
  }),
  inFile("zeroed range", (bytes, random) => {
    const start = random.below(bytes.length);
    return bytes.slice().fill(0, start, start + random.between(1, 600));
  }),
  inFile("range from elsewhere", (bytes, random) => {
    const start = random.below(bytes.length);
    return bytes.slice().copyWithin(random.below(bytes.length), start, start + random.between(1, 600));
  }),
  inFile("truncated", (bytes, random) => bytes.slice(0, random.below(bytes.length))),
  inFile("extended", (bytes, random) => {
    const longer = new Uint8Array(bytes.length + random.pick([1, 7, 8, 64, 100_000]));
    longer.set(bytes);
    if (random.oneIn(2)) longer.fill(random.below(256), bytes.length);
    return longer;
  }),
  {
    name: "missing file",
    isForged: false,
    apply: (files, random) => {
      const left = new Map(files);
      left.delete(random.pick([...files.keys()]));
      return left;
    },
  },
  {
    name: "creation broken off",
    isForged: false,
    apply: (files, random) => {
      const name = newestManifest(files);
      const whole = files.get(name)!;
      return new Map([
        ...files,
        [name, whole.slice(0, random.below(whole.length))],
        [`${name}.0123abcd.tmp`, random.oneIn(2) ? whole : whole.slice(0, random.below(whole.length))],
      ]);
    },
  },
  {
    name: "swapped files",
    isForged: false,
    apply: (files, random) => {
      const [a, b] = [random.pick([...files.keys()]), random.pick([...files.keys()])];
      return new Map([...files, [a, files.get(b)!], [b, files.get(a)!]]);
    },
  },
  {
    name: "stale file",
    isForged: false,
    apply: (files, random, earlier) => {
      const before = random.pick(earlier);
      const name = random.pick([...files.keys()]);
      const stale = random.pick([...before.keys()].filter((other) => kindOf(other) === kindOf(name)));
      // In the place of one that there is, or beside.
      return stale === undefined
        ? undefined
        : new Map([...files, [random.oneIn(2) ? name : stale, before.get(stale)!]]);
    },
  },
  {
    name: "forged manifest",
    isForged: true,
    apply: (files, random) => {
      const name = newestManifest(files);
      if (random.oneIn(30)) return new Map([...files, [name, nestedManifest(random.pick([100, 5000, 20_000]))]]);
      const manifest = parseManifest(files.get(name)!);
      changeSomewhere(manifest, random);
      return new Map([...files, [name, sealManifest(manifest)]]);
    },
  },
  inSegment("forged table", (segment, random) => changeTable(segment.table, random)),
  inSegment("forged sections", ({ table, body }, random) => {
    for (let changes = random.between(1, 3); changes > 0; changes--) changeSection(table, body, random);
  }),
  inSegment("forged strings", ({ table, body }, random) => {
    const section = random.pick(table.sections.filter(({ name }) => name.endsWith("Bytes")));
    if (section.count > 0) body[section.offset + random.below(section.count)] = random.below(256);
  }),
  {
    name: "forged dead passages",
    isForged: true,
    apply: (files, random) => {
      const name = [...files.keys()].find((file) => file.endsWith(".dead"));
      if (name === undefined) return undefined;
      const bytes = files.get(name)!.slice();
      for (let changes = random.between(1, 3); changes > 0; changes--)
        bytes[random.below(bytes.length)] = random.below(256);
      return resealed(files, name, bytes);
    },
  },
];

/** A mutation of one file's bytes. A manifest's is as likely as all others'. */
function inFile(name: string, change: (bytes: Uint8Array, random: Random) => Uint8Array): Mutation {
  return {
    name,
    isForged: false,
    apply: (files, random) => {
      const names = [...files.keys()].filter((file) => files.get(file)!.length > 0);
      const file = random.oneIn(3) ? newestManifest(files) : random.pick(names);
      return new Map([...files, [file, change(files.get(file)!, random)]]);
    },
  };
}

/** A mutation of what a segment's file says, with all checksums made right. */
function inSegment(name: string, change: (segment: ReturnType<typeof openSegment>, random: Random) => void): Mutation {
  return {
    name,
    isForged: true,
    apply: (files, random) => {
      const file = random.pick([...files.keys()].filter((other) => other.endsWith(".seg")));
      const head = files.get(file)!;
      const segment = openSegment(head);
      change(segment, random);
      return resealed(files, file, sealSegment(head, segment));
    },
  };
}

/** The files with one replaced and the newest manifest told of it. */
function resealed(files: Files, file: string, bytes: Uint8Array): Map<string, Uint8Array> {
  const name = newestManifest(files);
  const manifest = parseManifest(files.get(name)!);
  for (const segment of manifest.segments) {
    if (segment.file === file) Object.assign(segment, describe(file, bytes));
    if (!Array.isArray(segment.dead) && segment.dead.file === file) Object.assign(segment.dead, describe(file, bytes));
  }
  return new Map([...files, [file, bytes], [name, sealManifest(manifest)]]);
}

function changeTable(table: TableJson, random: Random): void {
  const section = random.pick(table.sections);
  switch (random.below(6)) {
    case 0:
      section.count = random.pick([...EDGES, section.count + 1, section.count - 1]);
      return;
    case 1:
      section.offset = random.pick([...EDGES, section.offset + 8, section.offset - 8]);
      return;
    case 2:
      section.dtype = random.pick(["u8", "u16", "u32", "f32", "f64", "i8", "u64", "constructor"]);
      return;
    case 3:
      table.dimensions = random.pick([...EDGES, table.dimensions + 1]);
      return;
    case 4:
      [table.sections[0], table.sections[random.below(table.sections.length)]] = [section, table.sections[0]];
      return;
    default:
      changeSomewhere(table, random);
  }
}

/** Sets an element of a section to another one's value, to one at the edge of its type, or to one nearby. */
function changeSection(table: TableJson, body: Uint8Array, random: Random): void {
  const { count, offset, dtype } = random.pick(table.sections);
  if (count === 0) return;
  const size = sizeOf(dtype);
  const at = offset + random.below(count) * size;
  switch (random.below(4)) {
    case 0: {
      const from = offset + random.below(count) * size;
      body.copyWithin(at, from, from + size);
      return;
    }
    case 1:
      body.fill(random.pick([0, 255, 127]), at, at + size);
      return;
    case 2:
      body[at] += random.pick([1, 255]);
      return;
    default:
      body[at + random.below(size)] ^= 1 << random.below(8);
  }
}

/** Sets, adds or takes away one value of a JSON-like one, however deep. */
function changeSomewhere(root: ManifestJson | TableJson, random: Random): void {
  let here = root as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(here);
    if (keys.length === 0) {
      here.added = random.pick(VALUES);
      return;
    }
    const key = random.pick(keys);
    const value = here[key];
    if (typeof value === "object" && value !== null && !random.oneIn(4)) {
      here = value as Record<string, unknown>;
      continue;
    }
    const kind = random.below(6);
    if (kind === 0) delete here[key];
    else if (kind === 1) here.added = random.pick(VALUES);
    else if (typeof value === "number" && random.oneIn(2)) here[key] = value + random.pick([1, -1]);
    else here[key] = random.pick(VALUES);
    return;
  }
}

/** JSON that a parser takes and a writer that calls itself does not. */
function nestedManifest(depth: number): Uint8Array {
  const nested = `{"checksum":1,"formatVersion":1,"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  return new TextEncoder().encode(nested);
}

/** Whether nothing tells that the newest of these manifests was made: it is gone, or was not made whole. */
export function lacksNewest(files: Files, base: Files): boolean {
  const newest = newestManifest(base);
  return !files.has(newest) || [...files.keys()].some((name) => name.startsWith(`${newest}.`));
}

function newestManifest(files: Files): string {
  return [...files.keys()].filter(isManifest).sort().at(-1)!;
}

function kindOf(name: string): string {
  return name === LOCK ? LOCK : isManifest(name) ? "manifest" : name.endsWith(".dead") ? "dead" : "segment";
}
