/**
 * Characters that show nothing, or that change how what is around them is shown: C0 and C1 controls but tab and line
 * break, halves of surrogate pairs, and the embeddings, overrides and isolates by which a text can be shown in another
 * order than it is in ("Trojan Source", CVE-2021-42574). Marks such as U+200F are harmless, and Arabic and Hebrew need them.
 */
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** U+FFFD, which is shown. */
const REPLACEMENT = "\ufffd";

/** The text as it can be shown, of the same length, so that spans stay. Carriage returns are line breaks. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", " \n").replaceAll("\r", "\n").replace(UNSEEN, REPLACEMENT);
}

/** At most so many characters, cut at one, with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length
    ? `${characters
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`
    : text;
}
