/** Seeded texts for tests: varied, and the same on every machine. */

const FIRST = [
  "William",
  "King William",
  "Hugh",
  "Teutberga",
  "Jean-Luc",
  "J. R. R.",
  "Łukasz",
  "Mary",
  "Rose",
  "Will",
  "Dr.",
];
const LAST = ["Tolkien", "Picard", "O'Neil", "Żal", "Byrne", "Smith", "de la Cruz", "van Gogh", "Jones"];
const PLACES = [
  "Bank of England",
  "King William's College",
  "Lotharingia",
  "the U.S.",
  "St. Paul",
  "Washington, D.C.",
  "東京",
];
const VERBS = ["visited", "was born in", "doesn't like", "left", "has often been to", "wrote about", "re-entered"];
const TAILS = [
  "",
  " in 1969",
  " on 17 October 931",
  " for 1,500 dollars",
  ' ("Gone with the Wind")',
  ", William's home",
  " and Rugby",
];
const ENDS = [". ", "! ", "? ", ".\n\n", "; however, ", "... "];

/** Passages of one to six sentences about made-up persons; some words occur once in all of them. */
export function makePassages(count: number, seed: number): string[] {
  const random = generator(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)];
  return Array.from({ length: count }, () => {
    let text = "";
    const sentences = 1 + Math.floor(random() * 6);
    for (let i = 0; i < sentences; i++) {
      const person = `${pick(FIRST)} ${pick(LAST)}${random() < 0.2 ? "'s son" : ""}`;
      const rare = random() < 0.5 ? ` ${madeUpWord(random)}` : "";
      text += `${person}${rare} ${pick(VERBS)} ${pick(PLACES)}${pick(TAILS)}${pick(ENDS)}`;
    }
    return text;
  });
}

/** A word that no dictionary has, sometimes with a capital, an apostrophe or a hyphen. */
function madeUpWord(random: () => number): string {
  let word = "";
  for (let i = 0; i < 8; i++) word += String.fromCharCode(0x61 + Math.floor(random() * 26));
  const shape = Math.floor(random() * 6);
  if (shape === 0) return word[0].toUpperCase() + word.slice(1);
  if (shape === 1) return `${word}'s`;
  if (shape === 2) return `${word.slice(0, 4)}-${word.slice(4)}`;
  if (shape === 3) return word.toUpperCase();
  return word;
}

/** mulberry32: 32 bits of state, uniform in [0, 1). */
function generator(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
