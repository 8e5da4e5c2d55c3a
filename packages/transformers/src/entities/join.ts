import type { EntityMention, Span } from "@trigraph/core";

/** Both kinds of mentions, in text order; of those that overlap the longer, then the first kind, then the earlier. */
export function joinMentions(first: readonly EntityMention[], second: readonly EntityMention[]): EntityMention[] {
  const length = ({ start, end }: Span) => end - start;
  const taken: EntityMention[] = [];
  // Stable: of equally long ones those of the first kind come first, and each kind is in text order.
  for (const mention of [...first, ...second].sort((a, b) => length(b) - length(a))) {
    if (taken.every(({ start, end }) => mention.end <= start || end <= mention.start)) taken.push(mention);
  }
  return taken.sort((a, b) => a.start - b.start);
}
