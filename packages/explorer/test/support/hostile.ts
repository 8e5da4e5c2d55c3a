import type { Passage } from "@trigraph/core";

/** Would end an element, open another, or run. */
const MARKUP = `</script><script>window.hacked=1</script><img src="https://example.org/x" onerror="window.hacked=1"><!-- '"&amp;`;

/** An override that reverses what follows, an isolate left open, NUL, escape, half a pair. */
const UNSEEN = "a\u202egnp.\u2066b\u0000c\u001b[31m\ud800d";

/** Passages that say all this in every field that is shown. */
export const HOSTILE: readonly Passage[] = [
  {
    id: `one${MARKUP}\u202e`,
    title: `Harbour ${MARKUP}${UNSEEN}`,
    text: `The Silent Harbour ${MARKUP} is a film by Ada Lindqvist. ${UNSEEN}`,
    metadata: { [MARKUP]: [UNSEEN] },
  },
  { id: "two", title: "Ada Lindqvist", text: `Ada Lindqvist was born to Greta Holm.\r\n${MARKUP}\u2028${UNSEEN}` },
  { id: "three", title: "Greta Holm", text: "شاعرة Greta Holm رسامة." },
];
export const HOSTILE_QUESTION = `Who is the mother of the director of The Silent Harbour, ${MARKUP} ${UNSEEN}?`;
