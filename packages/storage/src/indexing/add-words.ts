import { otherSpellings } from '@recollect/contract/text';
import { knownWords } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { send } from '../send.js';
import type { Trx } from '../tables.js';

/**
 * Adds words to those that a mistyped word may be corrected to, of titles also the parts of names such as `KSpider`. They belong to
 * all users: a search checks whose they are.
 */
export async function addWords(
  { trx, list }: { trx: Trx; list: Database['list'] },
  { titles, texts }: { titles: readonly string[]; texts: readonly string[] },
): Promise<void> {
  const named = titles.join('\n');
  const words = knownWords([named, ...otherSpellings(named), ...texts].join('\n'));
  if (words.length === 0) return;
  // Without the condition, SQLite would read the conflict clause as part of a join.
  const statement = sql`insert into words (word) select value from ${list.texts(words)} as list where true
    on conflict do nothing`;
  await send(trx, statement);
}
