import { createWordList, MAX_COMPLETIONS, type WordList } from '@recollect/core/threads';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';

/** Users whose words are kept in memory, those who searched last. */
const MAX_USERS = 16;

/** The words of users' texts, to which mistyped words are corrected. */
export interface StoredWords {
  /** All words of a user. All are read for the first call, and later only those that were added. */
  of(userId: string): Promise<WordList>;
  /** The first of the words that begin with a prefix and are longer. */
  beginningWith(userId: string, prefix: string): Promise<string[]>;
}

export function createStoredWords(db: Kysely<Tables>): StoredWords {
  const lists = new Map<string, { list: WordList; last: number }>();

  return {
    async of(userId) {
      const kept = lists.get(userId) ?? { list: createWordList(), last: 0 };
      lists.delete(userId);
      lists.set(userId, kept);
      const oldest = lists.keys().next().value;
      if (lists.size > MAX_USERS && oldest !== undefined) lists.delete(oldest);
      const { rows } = await sql<{ last: number | null; words: string | null }>`
        select max(id) as last, string_agg(word, ' ') as words from words
        where user_id = ${userId} and id > ${kept.last}`.execute(db);
      const [added] = rows;
      // Another call may have added them since.
      if (added?.last != null && added.last > kept.last) {
        kept.last = added.last;
        kept.list.add((added.words ?? '').split(' '));
      }
      return kept.list;
    },

    async beginningWith(userId, prefix) {
      const { rows } = await sql<{ word: string }>`
        select word from words where user_id = ${userId} and word > ${prefix} and word < ${`${prefix}\u{10ffff}`}
        order by word limit ${MAX_COMPLETIONS}`.execute(db);
      return rows.map(({ word }) => word);
    },
  };
}
