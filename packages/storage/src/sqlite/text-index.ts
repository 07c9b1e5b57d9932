import { foldLetters } from '@recollect/contract/text';
import type { TextIndex } from '@recollect/core';
import { type RawBuilder, sql } from 'kysely';
import type { Connections } from '../dialect.js';
import type { Pool } from './pool.js';
import { conditionOf } from './procedures/condition.js';

/** Pages that one step of a merge writes: 5 to 10 ms at 100,000 chunks. */
const MERGED_PAGES = 64;

/** Words that one step looks up in the index: a few milliseconds. */
const FORGOTTEN_WORDS = 500;

/** Full-text search by FTS5. The index is contentless: it does not store a second copy of the text. */
export function createTextIndex(
  { reader, writer }: Connections,
  { call, callWithin }: Pick<Pool, 'call' | 'callWithin'>,
): TextIndex {
  return {
    search: (userId, query, { limit, filter, also = [] }) =>
      call('searchText', { userId, query, limit, within: conditionOf(reader, userId, filter), also }),
    frequencies: (userId, terms) => call('countTerms', userId, terms),
    nearestWords: (userId, query, limit = {}) => callWithin(limit)('nearestWords', userId, query),
    async forgetWords(after) {
      const { rows } = await sql<{ id: number; word: string }>`
        select id, word from words where id > ${after} order by id limit ${FORGOTTEN_WORDS}`.execute(reader);
      const words = rows.map(({ id, word }) => ({ id, phrase: `"${foldLetters(word)}"` }));
      const { rows: unused } = await unusedOf(words).execute(reader);
      // The writer looks again at the few that seem unused, since a capture may have brought one back.
      if (unused.length > 0)
        await sql`delete from words where id in (select id from (${unusedOf(unused)}))`.execute(writer);
      return rows.at(-1)?.id ?? null;
    },
    merge: () =>
      writer.transaction().execute(async (trx) => {
        const changes = async () => {
          const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(trx);
          return rows[0]?.count ?? 0;
        };
        const before = await changes();
        await sql`insert into chunk_text (chunk_text, rank) values ('merge', ${MERGED_PAGES})`.execute(trx);
        // The statement itself counts as one change.
        return (await changes()) - before > 1;
      }),
  };
}

/** A word of the table, as a phrase that the index is searched for. */
interface WordPhrase {
  id: number;
  phrase: string;
}

/** The given words that no text has. */
function unusedOf(words: readonly WordPhrase[]): RawBuilder<WordPhrase> {
  return sql<WordPhrase>`select value ->> 'id' as id, value ->> 'phrase' as phrase from json_each(${JSON.stringify(words)})
    where not exists (select 1 from chunk_text where chunk_text match value ->> 'phrase')`;
}
