/**
 * A number with its noun, such as `1 memory` or `1,234 memories`.
 *
 * @example
 * count(2, 'memory', 'memories'); // '2 memories'
 */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}
