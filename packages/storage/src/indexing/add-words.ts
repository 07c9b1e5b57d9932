import { otherSpellings } from '@recollect/contract/text';
import { knownWords } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { enqueue } from '../enqueue.js';
import type { Trx } from '../tables.js';

/**
 * The words of a store's texts that a mistyped word may be corrected to, of titles also the parts of names such as
 * `KSpider`.
 */
export function findWords(titles: readonly string[], texts: readonly string[]): string[] {
  const named = titles.join('\n');
  return knownWords([named, ...otherSpellings(named), ...texts].join('\n'));
}

/**
 * Adds words to those that a mistyped word may be corrected to. They belong to all users: a search checks whose they
 * are.
 */
export async function addWords(
  { trx, list }: { trx: Trx; list: Database['list'] },
  words: readonly string[],
): Promise<void> {
  if (words.length === 0) return;
  // Most words are known. Looking for them takes a quarter of the time of conflicts.
  const statement = sql`insert into words (word) select value from ${list.texts(words)} as list
    where not exists (select 1 from words where word = value) on conflict do nothing`;
  await enqueue(trx, statement);
}
