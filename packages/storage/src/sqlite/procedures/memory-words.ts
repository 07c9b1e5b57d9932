import type { TextHit } from '@recollect/core';
import { MIN_SCORE } from '@recollect/core/threads';
import type { Filter, Texts, TextTerm, TextWord } from '@recollect/in-memory-index';
import { filterOf } from '../vectors/labels.js';
import type { FindOwn } from './find-own.js';
import type { TextRequest } from './match.js';
import type { MemoryTexts } from './memory-texts.js';
import { MAX_COUNTED_ROWS, type WordIndex } from './word-index.js';

/** A user whose rows are searched, and their rows in FTS5. */
interface Searcher {
  userId: string;
  stored: WordIndex;
}

/** The rows of the text index in memory. */
export interface MemoryWords {
  /** Does work with the rows of a user. Undefined if they are not in memory. */
  use<Result>(sequence: number, searcher: Searcher, work: (index: WordIndex) => Result): Result | undefined;
}

/** The quoted phrases of a word, and whether each is the beginning of words. */
const PHRASES = /"([^"]*)"( \*)?/g;

/**
 * Makes the rows of the text index in memory, which counts and ranks words as FTS5 does. FTS5 answers for phrases,
 * since the index has no places of words, and for words and filters that leave too many rows.
 */
export function createMemoryWords(
  memory: MemoryTexts,
  { isAlone, own }: { isAlone: (userId: string) => boolean; own: FindOwn },
): MemoryWords {
  /** The terms of a word in the index. Null if it has a phrase. */
  const toWord = (word: string): TextWord | null => {
    const phrases = [...word.matchAll(PHRASES)];
    const tokens = memory.tokenizer.tokensOf(phrases.map(([, phrase = '']) => phrase));
    const terms: TextTerm[] = [];
    for (const [at, [text, ...more]] of tokens.entries()) {
      if (more.length > 0) return null;
      if (text !== undefined) terms.push({ text, isBeginning: phrases[at]?.[2] !== undefined });
    }
    return terms;
  };

  /** The words, unless one of them has a phrase. */
  const toWords = (words: readonly { word: string }[]): TextWord[] | null => {
    const all = words.map(({ word }) => toWord(word));
    return all.includes(null) ? null : all.filter((word) => word !== null);
  };

  const indexOf = (texts: Texts, { userId, stored }: Searcher): WordIndex => {
    const alone: Filter = isAlone(userId) ? {} : filterOf(userId, {});
    const filterFor = ({ filter, within }: TextRequest) => (within === null ? alone : filterOf(userId, filter));

    const toHits = (hits: readonly TextScore[], { within }: TextRequest): TextHit[] => {
      const memories = own.memoriesOf(userId, hits, within);
      return hits.flatMap(({ id, score }) => {
        const memoryId = memories.get(id);
        return memoryId === undefined ? [] : [{ chunkId: id, memoryId, score: Math.max(score, MIN_SCORE) }];
      });
    };

    const count = (word: string, limit: number): number | null => {
      const terms = toWord(word);
      return terms && (texts.rows([terms], { limit, filter: alone })[0] ?? 0);
    };

    return {
      count: (word, rows) => count(word, MAX_COUNTED_ROWS) ?? stored.count(word, rows),
      countUpTo(word, limit) {
        const rows = count(word, limit);
        return rows === null ? stored.countUpTo(word, limit) : Math.min(rows, limit);
      },

      rank(words, request) {
        const { limit, within, also, isNarrow = false } = request;
        const ranked = toWords(words.ranked);
        const few = isNarrow ? own.findFew(userId, within) : null;
        if (ranked === null || (isNarrow && few === null)) return stored.rank(words, request);
        // With a filter, the rows of the rarest words may all be outside it.
        const selecting = few !== null ? 0 : within === null ? words.selecting.length : ranked.length;
        const wanted = [...new Set([...also, ...(few ?? [])])];
        const found = texts.rank({ ranked, selecting, limit, filter: filterFor(request), also: wanted });
        if (found === null) return stored.rank(words, request);
        const isWanted = new Set(also);
        const hits = few === null ? found.hits : bestOf(few, found.scores, limit, isWanted);
        const scores = Array.from(found.scores, ([id, score]) => [id, Math.max(score, MIN_SCORE)] as const);
        return { hits: toHits(hits, request), scores: new Map(scores.filter(([id]) => isWanted.has(id))) };
      },

      newest(words, request) {
        const { limit, isNarrow = false } = request;
        const all = isNarrow ? null : toWords(words);
        if (all === null) return stored.newest(words, request);
        for (const some of [all, all.slice(0, 1)]) {
          const ids = texts.newest(some, { limit, filter: filterFor(request) });
          if (ids === null) return stored.newest(words, request);
          const hits = toHits(
            ids.map((id) => ({ id, score: MIN_SCORE })),
            request,
          );
          if (hits.length > 0) return hits;
        }
        return [];
      },
    };
  };

  return { use: (sequence, searcher, work) => memory.use(sequence, (texts) => work(indexOf(texts, searcher))) };
}

interface TextScore {
  id: number;
  score: number;
}

/** The best of a few chunks, best first, without those whose scores are wanted. */
function bestOf(
  few: readonly number[],
  scores: ReadonlyMap<number, number>,
  limit: number,
  isWanted: ReadonlySet<number>,
): TextScore[] {
  return few
    .map((id) => ({ id, score: scores.get(id) ?? 0 }))
    .filter(({ id, score }) => score > 0 && !isWanted.has(id))
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit);
}
