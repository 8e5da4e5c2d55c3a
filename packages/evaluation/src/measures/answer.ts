const PUNCTUATION = /[\p{P}\p{S}]+/gu;

/**
 * Contain accuracy of one answer (LinearRAG, arXiv 2510.10114, "Contain-Acc."): 1 when the text contains one of the
 * accepted answers, else 0. Case, accents' encoding, punctuation and spacing do not count, and an answer is found as
 * whole words: "no" is not in "known".
 *
 * @param accepted the answer and its other wordings, at least one with a letter or digit
 */
export function containAccuracy(text: string, accepted: readonly string[]): number {
  const wanted = accepted.map(normalize).filter((answer) => answer !== "");
  if (wanted.length === 0) throw new RangeError("contain accuracy needs an answer that is not blank, got none");
  const within = ` ${normalize(text)} `;
  return wanted.some((answer) => within.includes(` ${answer} `)) ? 1 : 0;
}

function normalize(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(PUNCTUATION, " ").trim().replace(/\s+/g, " ");
}
