/** FNV-1a (Fowler, Noll, Vo), 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  // The low bits alone are poorly mixed.
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

/** The fold of a question, from 0: by its id alone, so that its copies in every corpus are in the same one. */
export function foldOf(question: string, folds: number, seed: number): number {
  return hash(`${seed}:${question}`) % folds;
}
