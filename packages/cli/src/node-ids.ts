/** What nodes are called in exports. The first letter keeps the kinds apart. */

export function passageId(id: string): string {
  return `p:${id}`;
}

/** @param ordinal of the sentence in its passage, from 0 */
export function sentenceId(passage: string, ordinal: number): string {
  return `s:${ordinal}:${passage}`;
}

export function entityId(key: number): string {
  return `e:${key}`;
}
