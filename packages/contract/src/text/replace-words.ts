/**
 * A query with a correction applied: each corrected word is replaced where it is written.
 *
 * @example
 * replaceWords('stret lamps', { from: 'stret', to: 'street' }); // 'street lamps'
 */
export function replaceWords(text: string, { from, to }: { from: string; to: string }): string {
  const others = to.split(' ');
  return from.split(' ').reduce((replaced, word, at) => replaced.replace(word, () => others[at] ?? word), text);
}
