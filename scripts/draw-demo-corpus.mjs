// Draws the demo's corpus from a copy of 2WikiMultiHopQA:
//
//   node scripts/draw-demo-corpus.mjs --data FOLDER [--seed 20] [--questions 40] [--passages 600] [--out FOLDER]
//
// FOLDER holds corpus.jsonl (rows {id, title, text}) and questions.jsonl (rows {id, question, answer, type, gold},
// `gold` being ids of corpus rows). The draw is left to the seed, nothing is picked by hand:
//
// 1. The questions are shared out over their types in the proportion of the data (largest remainder), then drawn at
//    random within each type.
// 2. All gold passages of the drawn questions are taken.
// 3. Random other passages of the corpus fill up to the wanted number.
//
// Rows keep their ids, their fields and the order of the data. The same seed and data give the same files.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const { values: options } = parseArgs({
  options: {
    data: { type: "string" },
    seed: { type: "string", default: "20" },
    questions: { type: "string", default: "40" },
    passages: { type: "string", default: "600" },
    out: { type: "string", default: join(root, "examples", "demo", "data") },
  },
});
if (options.data === undefined) {
  console.error(
    "usage: node scripts/draw-demo-corpus.mjs --data FOLDER [--seed N] [--questions N] [--passages N] [--out FOLDER]",
  );
  process.exit(2);
}

const allPassages = readRows(join(options.data, "corpus.jsonl"));
const allQuestions = readRows(join(options.data, "questions.jsonl"));
const random = mulberry32(wholeNumber("seed"));

const questions = drawQuestions(allQuestions, wholeNumber("questions"));
const passages = drawPassages(allPassages, questions, wholeNumber("passages"));

mkdirSync(options.out, { recursive: true });
writeRows(join(options.out, "corpus.jsonl"), passages);
writeRows(join(options.out, "questions.jsonl"), questions);
console.log(`${questions.length} questions, ${passages.length} passages`);
for (const [type, rows] of byType(questions)) console.log(`  ${type}: ${rows.length}`);

function drawQuestions(rows, wanted) {
  const types = [...byType(rows)].map(([type, members]) => {
    const share = (wanted * members.length) / rows.length;
    return { type, members, count: Math.floor(share), rest: share - Math.floor(share) };
  });
  const missing = wanted - types.reduce((sum, { count }) => sum + count, 0);
  const byRest = [...types].sort((a, b) => b.rest - a.rest || (a.type < b.type ? -1 : 1));
  for (const type of byRest.slice(0, missing)) type.count++;

  const drawn = new Set(types.flatMap(({ members, count }) => sample(members, count)));
  return rows.filter((row) => drawn.has(row));
}

function drawPassages(rows, drawnQuestions, wanted) {
  const gold = new Set(drawnQuestions.flatMap((question) => question.gold));
  const others = rows.filter((row) => !gold.has(row.id));
  const drawn = new Set(sample(others, wanted - gold.size));
  return rows.filter((row) => gold.has(row.id) || drawn.has(row));
}

/** Questions by type, types in alphabetical order. */
function byType(rows) {
  const types = [...new Set(rows.map((row) => row.type))].sort();
  return new Map(types.map((type) => [type, rows.filter((row) => row.type === type)]));
}

/** `count` rows, each set of them equally likely: the head of a Fisher–Yates shuffle. */
function sample(rows, count) {
  const pool = [...rows];
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(random() * (pool.length - i));
    [pool[i], pool[j]] = [pool[j], pool[i]];
  }
  return pool.slice(0, count);
}

/** Tommy Ettinger's 32-bit generator: small, and the same on every machine. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function readRows(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function writeRows(file, rows) {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function wholeNumber(name) {
  const value = Number(options[name]);
  if (!Number.isInteger(value) || value < 0) {
    console.error(`--${name} must be a whole number, got "${options[name]}"`);
    process.exit(2);
  }
  return value;
}
