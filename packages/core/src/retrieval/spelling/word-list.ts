import { foldWord } from '@recollect/contract/text';

import { mistakesIn } from './known-words.js';

/** Words whose keys have the same length. */
interface Group {
  /** The keys, one after the other: a string for each would take several times the memory. */
  keys: string;
  /** For each key, a bit for each of its letters. */
  letters: number[];
}

/** A word similar to the requested word. */
export interface SimilarWord {
  word: string;
  /** The mistakes between the two. */
  distance: number;
  /** Whether both have the same first letter, which few mistype. */
  hasSameStart: boolean;
  /**
   * Whether letters of it were left out or swapped. There are far more ways to type a wrong letter, so each of them is
   * rarer.
   */
  isSlip: boolean;
}

/** Words in memory, among which the nearest to a mistyped one are found. */
export interface WordList {
  /** Adds words in lower case. Words that are added again take memory again. */
  add(words: readonly string[]): void;
  /** All words with as many mistakes at most as a word may have, nearest first. */
  similar(word: string): SimilarWord[];
  /** The shortest of the folded words that have a folded part behind their beginning, at most `limit`. */
  containing(part: string, limit: number): string[];
}

/**
 * Makes an empty list. A search looks at all words: a comparison of their letters, as bits, leaves few whose distance
 * must be computed.
 *
 * @example
 * const list = createWordList();
 * list.add(['waggle', 'wiggle', 'dance']);
 * list.similar('wagle'); // [{ word: 'waggle', distance: 1, hasSameStart: true, isSlip: true }]
 */
export function createWordList(): WordList {
  const groups = new Map<number, Group>();
  /** How words are written whose keys are different. */
  const written = new Map<string, string>();

  return {
    add(words) {
      const added = new Map<number, string[]>();
      for (const word of words) {
        const key = foldWord(word);
        if (key !== word) written.set(key, word);
        const sameLength = added.get(key.length);
        if (sameLength === undefined) added.set(key.length, [key]);
        else sameLength.push(key);
      }
      for (const [length, keys] of added) {
        const group = groups.get(length) ?? { keys: '', letters: [] };
        group.keys += keys.join('');
        for (const key of keys) group.letters.push(lettersOf(key));
        groups.set(length, group);
      }
    },

    similar(word) {
      const key = foldWord(word);
      const most = mistakesIn(key);
      const letters = lettersOf(key);
      const sortedLetters = sorted(key);
      const distances = new Map<string, number>();
      for (let length = key.length - most; length <= key.length + most; length++) {
        const group = groups.get(length);
        if (group === undefined) continue;
        for (let at = 0; at < group.letters.length; at++) {
          // A mistake adds a letter, removes one, or does both.
          if (countBits(letters ^ (group.letters[at] as number)) > 2 * most) continue;
          const other = group.keys.slice(at * length, (at + 1) * length);
          const distance = editDistance(key, other, most);
          if (distance <= most) distances.set(other, distance);
        }
      }
      return [...distances]
        .map(([other, distance]) => ({
          word: written.get(other) ?? other,
          distance,
          hasSameStart: other[0] === key[0],
          isSlip: other.length > key.length || sorted(other) === sortedLetters,
        }))
        .sort((a, b) => a.distance - b.distance);
    },

    containing(part, limit) {
      const words: string[] = [];
      for (const [length, { keys }] of [...groups].sort(([a], [b]) => a - b))
        for (let at = keys.indexOf(part); at >= 0 && words.length < limit; at = keys.indexOf(part, at + 1)) {
          const start = at - (at % length);
          if (at === start || at + part.length > start + length) continue;
          words.push(keys.slice(start, start + length));
          at = start + length - 1;
        }
      return [...new Set(words)];
    },
  };
}

function sorted(key: string): string {
  return [...key].sort().join('');
}

function lettersOf(key: string): number {
  let bits = 0;
  for (let at = 0; at < key.length; at++) bits |= 1 << (key.charCodeAt(at) & 31);
  return bits;
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/**
 * The number of letters to insert, remove, replace or swap with their neighbours to turn one word into another: the
 * optimal string alignment distance, which edits no part twice (Damerau, 1964, counted single edits). Returns `most` +
 * 1 for any greater distance. Letters are UTF-16 code units.
 *
 * @example
 * editDistance('recieve', 'receive', 2); // 1
 * editDistance('kowalczik', 'kowalczyk', 2); // 1
 * editDistance('bee', 'wasp', 2); // 3
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        (last[column] as number) + 1,
        (now[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwapped) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      now.push(cost);
      if (cost < least) least = cost;
    }
    // The row before the last is at most one lower, and a swap costs one, so a swap cannot help.
    if (least > most) return most + 1;
    [beforeLast, last] = [last, now];
  }
  return Math.min(last[b.length] as number, most + 1);
}
