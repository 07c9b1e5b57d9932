/** Backgrounds of drawn covers in the style sheet. */
const TINTS = 8;

/** Which of the backgrounds a title gets. */
export function tintOf(title: string): number {
  let hash = 0;
  for (const letter of title) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % TINTS;
}

/**
 * The first letter, digit or sign of a title, for a cover.
 *
 * @example
 * firstLetter('“Über” uns'); // 'Ü'
 */
export function firstLetter(title: string): string {
  const [letter = ''] = /[\p{L}\p{N}]\p{M}*/u.exec(title) ?? /\S/u.exec(title) ?? [];
  return letter.toUpperCase();
}
