import { foldLetters, procliticForms } from '@recollect/contract/text';
import type { UncertainWords } from '@recollect/core';
import {
  chooseWord,
  createWordList,
  MAX_COUNTED_CHUNKS,
  type NearWord,
  nearWords,
  type WordList,
} from '@recollect/core/threads';
import { isOutOfTime } from '../work-limit.js';
import type { All } from './all.js';
import { beginningsOf, createMatchWithin, type MatchAny } from './match.js';
import { inCommentsOf } from './search-comments.js';

export interface WordProcedures {
  /** Finds, for each word that the user's texts lack, their nearest word. Ends early when the time is up. */
  nearestWords(userId: string, query: UncertainWords): (string | null)[];
}

/** Finds words near mistyped ones. */
export function createWordProcedures(all: All, storedWords: () => WordList): WordProcedures {
  const matchWithin = createMatchWithin(all);
  const chunksOf = (match: string, limit: number) =>
    all('select 1 from chunk_text where chunk_text match ? limit ?', [match, limit]).length;

  const commentsWith = (userId: string, match: string, limit: number) =>
    all('select 1 from comment_text where comment_text match ? limit ?', [inCommentsOf(userId, match), limit]).length;

  const isKnown = (userId: string, matchAny: MatchAny, word: string, prefix: string | null) => {
    const forms = [word, ...procliticForms(word)].map((form) => `"${form}"`);
    const matches = [...forms, ...(word === prefix ? beginningsOf(all, word) : [])];
    return chunksOf(matchAny(matches), 1) > 0 || commentsWith(userId, matches.join(' OR '), 1) > 0;
  };

  const nearestTo = (
    userId: string,
    list: WordList,
    matchAny: MatchAny,
    word: string,
    beside: string,
  ): string | null => {
    let best: NearWord | null = null;
    for (const similar of nearWords(list, word)) {
      if (best !== null && similar.distance > best.distance) break;
      const quoted = `"${foldLetters(similar.word)}"`;
      const chunks =
        chunksOf(matchAny([quoted]), MAX_COUNTED_CHUNKS) || commentsWith(userId, quoted, MAX_COUNTED_CHUNKS);
      if (chunks === 0) continue;
      const together = beside === '' ? 0 : chunksOf(matchAny([`(${quoted} AND (${beside}))`]), MAX_COUNTED_CHUNKS);
      best = chooseWord(best, similar, { chunks, together });
    }
    return best?.word ?? null;
  };

  return {
    nearestWords(userId, { words, beside, prefix }) {
      const nearest: (string | null)[] = [];
      try {
        const matchAny = matchWithin(userId);
        const unknown = words.map((word) => !isKnown(userId, matchAny, word, prefix));
        const list = unknown.includes(true) ? storedWords() : null;
        const others = [...beside, ...words.filter((_, at) => !unknown[at])].map((word) => `"${word}"`).join(' OR ');
        for (const [at, word] of words.entries())
          nearest.push(unknown[at] && list !== null ? nearestTo(userId, list, matchAny, word, others) : null);
      } catch (error) {
        if (!isOutOfTime(error)) throw error;
      }
      return nearest;
    },
  };
}

/**
 * Makes a function that gives the words of all texts: all are read for the first call, and later only those that were
 * added.
 */
export function createStoredWords(all: All): () => WordList {
  const list = createWordList();
  let last = 0;
  return () => {
    const [added] = all("select max(id) as last, group_concat(word, ' ') as words from words where id > ?", [last]) as {
      last: number | null;
      words: string | null;
    }[];
    if (added?.last != null) {
      last = added.last;
      list.add((added.words ?? '').split(' '));
    }
    return list;
  };
}
