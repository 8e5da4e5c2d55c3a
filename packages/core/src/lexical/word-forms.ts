import { isFunctionWord } from "../text/function-words.js";
import { stableKey } from "../text/keys.js";

/**
 * Endings of English words that leave their meaning much the same, the empty one included: a question asks who
 * "directed", the passage names its "director".
 */
const ENDINGS = [
  ...["", "s", "es", "e", "d", "ed", "ing", "er", "ers", "or", "ors", "y", "ies", "ied", "ier", "ly", "al"],
  ...["ion", "ions", "tion", "tions", "ation", "ations", "ment", "ments", "age", "ages", "ial", "ian", "ans", "ic"],
];

/** A stem is no shorter, in letters: shorter ones are shared by words that have nothing else in common. */
const MIN_STEM = 4;

/** Words of one meaning whose spellings do not show it, those that questions about people, works and places turn on. */
const IRREGULAR = [
  "born birth birthplace birthday birthdate",
  "die dies died dying death deaths dead deceased",
  "marry married marries marriage wife husband spouse wed wedding",
  "write writes wrote written writer writers writing author authors authored",
  "sing sings sang sung singer singers singing song songs vocalist",
  "win wins won winner winners winning",
  "find found founded founder founders founding establish established",
  "begin begins began begun beginning start starts started",
  "make makes made making maker makers",
  "know knows knew known",
  "lead leads led leader leaders leading",
  "hold holds held holder holders",
  "build builds built builder building",
  "teach teaches taught teacher teachers",
  "fight fights fought fighter fighting",
  "buy buys bought",
  "sell sells sold",
  "give gives gave given",
  "take takes took taken",
  "grow grows grew grown",
  "speak speaks spoke spoken speaker speech",
  "film films movie movies picture",
  "child children kid kids",
  "man men",
  "woman women",
  "old older oldest age aged",
  "country nation national nationality",
  "study studied studies student students educated education",
  "live lives lived living life resident resided residence",
  "play plays played player players playing",
];

const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  IRREGULAR.flatMap((family) => {
    const words = family.split(" ");
    return words.map((word) => [word, words] as const);
  }),
);

/** Keys of the word and of other forms that it may have, and of words made from it. Most of them do not exist. */
export function formKeys(word: string): Float64Array {
  return Float64Array.from(formsOf(word), stableKey);
}

function formsOf(word: string): Set<string> {
  const forms = new Set<string>([word, ...(FAMILIES.get(word) ?? [])]);
  if (isFunctionWord(word)) return forms;
  for (const ending of ENDINGS) {
    const stem = word.length - ending.length;
    if (stem < MIN_STEM || !word.endsWith(ending)) continue;
    for (const other of ENDINGS) forms.add(word.slice(0, stem) + other);
  }
  return forms;
}
