import { readFileSync } from 'node:fs';
import type { Dictionary } from '@recollect/core';
import path from 'word-list';

/**
 * The English words of `word-list`, which are read when the first of them is looked up. Each takes about 1.5 ms: a set
 * would take ten times the memory for what few searches ask.
 */
export function createEnglishWords(): Dictionary {
  let words: Buffer | null = null;
  return {
    has(word) {
      words ??= Buffer.concat([LINE_END, readFileSync(path), LINE_END]);
      return words.includes(`\n${word}\n`);
    },
  };
}

const LINE_END = Buffer.from('\n');
