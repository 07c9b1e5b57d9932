import { normaliseText, type TextIndex, type TextQuery } from '@recollect/core';
import { type Database, hasFilter, matchingMemories, type TextIndexTable } from '@recollect/storage';
import { type RawBuilder, sql } from 'kysely';

/** Full text with PostgreSQL's text search. It ranks without BM25, which is enough for the cases that need words. */
export const textIndexTable: TextIndexTable = {
  async write(trx, rows) {
    for (const { userId, chunkId, title, body, notes } of rows) {
      const [titleWords, bodyWords, noteWords] = [title, body, notes].map(fold);
      await sql`insert into chunk_text (chunk_id, user_id, words) values (${chunkId}, ${userId},
        setweight(to_tsvector('english', ${titleWords}), 'A')
        || to_tsvector('english', ${bodyWords}) || to_tsvector('english', ${noteWords}))`.execute(trx);
    }
  },

  async remove(trx, rows) {
    for (const { chunkId } of rows) await sql`delete from chunk_text where chunk_id = ${chunkId}`.execute(trx);
  },
};

export function createTextIndex({ reader }: Database): TextIndex {
  const count = async (userId: string, match: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from chunk_text where user_id = ${userId} and words @@ ${match}`.execute(reader);
    return rows[0]?.count ?? 0;
  };

  return {
    async search(userId, query, { limit, filter }) {
      const within = hasFilter(filter) ? sql`and c.memory_id in (${matchingMemories(reader, userId, filter)})` : sql``;
      const { rows } = await sql<{ chunkId: number; memoryId: string; score: number }>`
        select c.id as "chunkId", c.memory_id as "memoryId", ts_rank(t.words, ${matchOf(query)}) + 0.001 as score
        from chunk_text t join chunks c on c.id = t.chunk_id
        where t.user_id = ${userId} and t.words @@ ${matchOf(query)} ${within}
        order by score desc, c.id desc limit ${limit}`.execute(reader);
      return { hits: rows, isComplete: rows.length < limit, coverage: rows.length > 0 ? 1 : 0 };
    },

    async frequencies(userId, terms) {
      const counts: number[] = [];
      for (const term of terms) counts.push(await count(userId, phraseOf(term)));
      const { rows } = await sql<{ total: number }>`select count(*) as total from chunks`.execute(reader);
      return { total: rows[0]?.total ?? 0, counts };
    },

    async scores(userId, query, chunkIds) {
      const { hits } = await this.search(userId, query, { limit: 10_000, filter: {} });
      return new Map(
        hits.filter(({ chunkId }) => chunkIds.includes(chunkId)).map(({ chunkId, score }) => [chunkId, score]),
      );
    },
  };
}

function fold(text: string): string {
  return normaliseText(text).normalize('NFKD').replace(/\p{M}/gu, '');
}

function phraseOf(term: readonly string[]) {
  return sql`phraseto_tsquery('english', ${fold(term.join(' '))})`;
}

function matchOf({ terms }: TextQuery) {
  return sql`(${sql.join(terms.map(phraseOf), sql` || `)})`;
}
