import { operatorNames } from '../query-syntax/operators.js';

/** An operator with its value, or words without white space. */
const PART = /-?\w+:"[^"]*"|\S+/g;
/** The part of a query that is not searched for. */
const OTHER = new RegExp(`^(?:-|(?:${operatorNames.join('|')}):)`, 'i');

/**
 * A query with a correction applied: each corrected word is replaced where it is written, as a whole and in the order
 * of the query. Operators and excluded words do not change.
 *
 * @example
 * replaceWords('tag:stret stret lamps', { from: 'stret', to: 'street' }); // 'tag:stret street lamps'
 */
export function replaceWords(text: string, { from, to }: { from: string; to: string }): string {
  const [words, others] = [from.split(' '), to.split(' ')];
  let next = 0;
  return text.replace(PART, (part) => {
    if (OTHER.test(part)) return part;
    return part.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) => {
      if (word.toLowerCase() !== words[next]?.toLowerCase()) return word;
      next += 1;
      return others[next - 1] ?? word;
    });
  });
}
