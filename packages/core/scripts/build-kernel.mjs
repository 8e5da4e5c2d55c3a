// Assembles src/dense/kernel.wat into src/dense/kernel.wasm.ts.
import { readFile, writeFile } from "node:fs/promises";
import wabt from "wabt";

const folder = new URL("../src/dense/", import.meta.url);
const assembler = await wabt();
const text = await readFile(new URL("kernel.wat", folder), "utf8");
const { buffer } = assembler.parseWat("kernel.wat", text).toBinary({});
const source = `// Made of kernel.wat by scripts/build-kernel.mjs.
export const KERNEL: Uint8Array<ArrayBuffer> = Uint8Array.of(${[...buffer].join(", ")});
`;
await writeFile(new URL("kernel.wasm.ts", folder), source);
