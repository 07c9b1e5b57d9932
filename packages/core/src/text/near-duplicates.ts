import { isAscii, unspacedLetter } from '@recollect/contract/text';

/** Words that a text needs to be compared: two short ones are alike by chance. */
const MIN_WORDS = 20;
/** Words of a shingle. */
const SHINGLE = 3;
/**
 * The resemblance from which on two texts are nearly the same, and the share of words in common from which on that is
 * looked at.
 */
const MIN_OVERLAP = { text: 0.75, passage: 0.6 };

/** Characters of each text that are compared, so that two books take milliseconds. */
const MAX_COMPARED_CHARACTERS = 20_000;

/** A text whose memory may be nearly the same as another. */
export interface Passage {
  /** The different words of the passage; empty if it is too short. */
  words: ReadonlySet<string>;
  /** Reads the whole text of its memory, once. */
  readWhole: () => Promise<Whole>;
}

/** The text of a memory. */
interface Whole {
  length: number;
  /** Its runs of words. A text may be compared with several others. */
  shingles: () => ReadonlySet<string>;
}

/**
 * The words of a passage, by which it is compared with others.
 *
 * @param readText reads the whole text of its memory, if the passage is like another
 */
export function toPassage(chunk: string, readText: () => Promise<string>): Passage {
  const words = wordsOf(chunk);
  let whole: Promise<Whole> | undefined;
  return {
    words: new Set(words.length < MIN_WORDS ? [] : words),
    readWhole() {
      whole ??= readText().then(toWhole);
      return whole;
    },
  };
}

function toWhole(text: string): Whole {
  let shingles: ReadonlySet<string> | undefined;
  return {
    length: text.length,
    shingles() {
      shingles ??= shinglesOf(text.slice(0, MAX_COMPARED_CHARACTERS));
      return shingles;
    },
  };
}

/**
 * Finds the first of some passages whose memory nearly equals the memory of a given passage; -1 if there is none.
 * Compares whole texts only where the passages are alike: two pages may quote the same paragraph.
 */
export async function findNearDuplicate(passage: Passage, others: readonly Passage[]): Promise<number> {
  for (const [at, other] of others.entries()) {
    if (overlapOf(passage.words, other.words, MIN_OVERLAP.passage) < MIN_OVERLAP.passage) continue;
    const [whole, otherWhole] = await Promise.all([passage.readWhole(), other.readWhole()]);
    const lengths = [whole.length, otherWhole.length];
    if (Math.min(...lengths) < MIN_OVERLAP.text * Math.max(...lengths)) continue;
    if (overlapOf(whole.shingles(), otherWhole.shingles()) >= MIN_OVERLAP.text) return at;
  }
  return -1;
}

/**
 * The share of all runs of three words of two texts that both have, 0 to 1 (Broder, "On the resemblance and containment
 * of documents", 1997).
 *
 * @example
 * resemblance('steep green tea in hot water', 'steep green tea in cold water'); // 0.33
 */
export function resemblance(a: string, b: string): number {
  return overlapOf(shinglesOf(a), shinglesOf(b));
}

function shinglesOf(text: string): Set<string> {
  const words = wordsOf(text);
  if (words.length < SHINGLE) return new Set([words.join(' ')]);
  return new Set(words.slice(SHINGLE - 1).map((_, at) => words.slice(at, at + SHINGLE).join(' ')));
}

/**
 * The words of a text; of a script without spaces between them, each letter with the next one, as in the full-text
 * index.
 */
function wordsOf(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const runs = text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) => (unspacedLetter.test(run) ? pairsOf(run) : run));
}

function pairsOf(run: string): string[] {
  const letters = run.match(/.\p{M}*/gu) ?? [];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

/** Jaccard's coefficient. 0 for empty sets, and below a limit, which most pairs show early. */
function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>, least = 0): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  const total = a.size + b.size;
  let common = small.size;
  for (const part of small) {
    if (common < least * (total - common)) return 0;
    if (!large.has(part)) common--;
  }
  return common === 0 ? 0 : common / (total - common);
}
