import type { TextIndex } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { conditionOf } from './condition.js';
import { createCountWords } from './count-words.js';
import { createNarrow } from './find-phrases.js';
import { createNearestWords } from './nearest-words.js';
import { planSearch } from './plan-search.js';
import { createTextSearch } from './search-texts.js';
import { createStoredWords } from './stored-words.js';
import { createQueries } from './word-queries.js';

/** Words that one step looks up in the index: a few milliseconds. */
const FORGOTTEN_WORDS = 500;

/** What both the full-text index and the hybrid index search with. */
export interface TextSearching {
  narrow: ReturnType<typeof createNarrow>;
  plan: (
    ...args: Parameters<typeof planSearch> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) => ReturnType<typeof planSearch>;
  search: ReturnType<typeof createTextSearch>;
}

/** Full-text search over tsvectors. */
export function createTextIndex({ reader, writer, transaction }: Database): {
  textIndex: TextIndex;
  searching: TextSearching;
} {
  const storedWords = createStoredWords(reader);
  const countWords = createCountWords(reader);
  const searching: TextSearching = {
    narrow: createNarrow(reader),
    plan: (userId, query) => planSearch(countWords, storedWords, userId, query),
    search: createTextSearch(reader, countWords, storedWords),
  };

  const textIndex: TextIndex = {
    async search(userId, query, { limit, filter, also = [] }) {
      const within = await searching.narrow(userId, query, conditionOf(reader, userId, filter));
      const plan = await searching.plan(userId, query);
      return (await searching.search(plan, { limit, within, also, compared: null })).text;
    },

    async frequencies(userId, terms) {
      const queries = createQueries(userId);
      const { total, rows } = await countWords(
        userId,
        terms.map((term) => queries.phrase(term)),
      );
      return { total, counts: rows };
    },

    nearestWords: createNearestWords(reader, storedWords),

    async forgetWords(after) {
      const { rows } = await sql<{ id: number; userId: string; word: string }>`
        select id, user_id as "userId", word from words where id > ${after} order by id limit ${FORGOTTEN_WORDS}`.execute(
        reader,
      );
      for (const [userId, ofUser] of Map.groupBy(rows, (row) => row.userId)) {
        const queries = createQueries(userId);
        await sql`delete from words w using unnest(${ofUser.map(({ word }) => word)}::text[],
          ${ofUser.map(({ word }) => queries.phrase([word]))}::text[]) as asked (word, query)
          where w.user_id = ${userId} and w.word = asked.word
            and not exists (select 1 from chunk_text t where t.user_id = ${userId} and t.words @@ asked.query::tsquery)
            and not exists (
              select 1 from comment_text t where t.user_id = ${userId} and t.words @@ asked.query::tsquery)`.execute(
          writer,
        );
      }
      return rows.at(-1)?.id ?? null;
    },

    async merge() {
      const changed = await sql<{ userId: string }>`select distinct user_id as "userId" from lexeme_changes`.execute(
        reader,
      );
      for (const { userId } of changed.rows)
        await transaction(userId, async (trx) => {
          await sql`select sum_lexemes(${userId})`.execute(trx);
          await sql`delete from lexeme_counts where user_id = ${userId} and rows <= 0`.execute(trx);
        });
      // Rows that a search reads one after the other. Another process may do it at the same time.
      await sql`select gin_clean_pending_list('chunk_text_words')`.execute(writer);
      return false;
    },
  };
  return { textIndex, searching };
}
