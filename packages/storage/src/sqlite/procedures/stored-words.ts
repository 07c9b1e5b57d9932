import { createWordList, type WordList } from '@recollect/core/threads';
import type { All } from './all.js';

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
