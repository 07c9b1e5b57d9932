import { normaliseText, type TextIndex, type TextQuery } from '@recollect/core';
import { chooseWord, createWordList, type NearWord, nearWords } from '@recollect/core/threads';
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

  async addWords(trx, _userId, words) {
    for (const word of words) await sql`insert into words (word) values (${word}) on conflict do nothing`.execute(trx);
  },
};

export function createTextIndex({ reader, writer }: Database): TextIndex {
  const count = async (userId: string, match: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from chunk_text where user_id = ${userId} and words @@ ${match}`.execute(reader);
    return rows[0]?.count ?? 0;
  };

  return {
    async search(userId, query, { limit, filter, also = [] }) {
      const within = hasFilter(filter) ? sql`and c.memory_id in (${matchingMemories(reader, userId, filter)})` : sql``;
      const { rows } = await sql<{ chunkId: number; memoryId: string; score: number }>`
        select c.id as "chunkId", c.memory_id as "memoryId", ts_rank(t.words, ${matchOf(query)}) + 0.001 as score
        from chunk_text t join chunks c on c.id = t.chunk_id
        where t.user_id = ${userId} and t.words @@ ${matchOf(query)} ${within}
          and c.memory_id in (${containing(userId, query)})
        order by score desc, c.id desc limit ${limit}`.execute(reader);
      const wanted = rows.filter(({ chunkId }) => also.includes(chunkId));
      const scores = new Map(wanted.map(({ chunkId, score }) => [chunkId, score]));
      // Its scores have no common scale: the best is taken as half of a full match.
      const fullScore = 2 * Math.max(0.001, ...rows.map(({ score }) => score));
      return {
        hits: rows,
        scores,
        coverage: rows.length > 0 ? 1 : 0,
        fullScore,
        weights: query.terms.map(() => 1),
        chunks: rows.length,
      };
    },

    async frequencies(userId, terms) {
      const counts: number[] = [];
      for (const term of terms) counts.push(await count(userId, phraseOf(term)));
      const { rows } = await sql<{ total: number }>`select count(*) as total from chunks`.execute(reader);
      return { total: rows[0]?.total ?? 0, counts };
    },

    async nearestWords(userId, { words, prefix }) {
      const list = createWordList();
      const { rows } = await sql<{ word: string }>`select word from words`.execute(reader);
      list.add(rows.map(({ word }) => word));
      const isKnown = async (word: string) =>
        (await count(userId, word === prefix ? sql`to_tsquery('english', ${`${fold(word)}:*`})` : phraseOf([word]))) >
        0;
      const nearest: (string | null)[] = [];
      for (const word of words) {
        let best: NearWord | null = null;
        for (const other of (await isKnown(word)) ? [] : nearWords(list, word))
          best = chooseWord(best, other, { chunks: await count(userId, phraseOf([other.word])), together: 0 });
        nearest.push(best?.word ?? null);
      }
      return nearest;
    },

    async forgetWords() {
      const { rows } = await sql<{ word: string }>`select word from words`.execute(reader);
      for (const { word } of rows)
        await sql`delete from words where word = ${word}
          and not exists (select 1 from chunk_text where words @@ ${phraseOf([word])})`.execute(writer);
      return null;
    },

    merge: async () => false,
  };
}

/** The ids of memories that have all phrases of a query, and nothing that it excludes. */
export function containing(userId: string, { phrases = [], excluded = [] }: TextQuery): RawBuilder<unknown> {
  const having = (phrase: readonly string[]) => sql`(
    select c.memory_id from chunk_text t join chunks c on c.id = t.chunk_id
    where t.user_id = ${userId} and t.words @@ ${phraseOf(phrase)})`;
  const conditions = [
    sql`m.user_id = ${userId}`,
    ...phrases.map((phrase) => sql`m.id in ${having(phrase)}`),
    ...excluded.map((phrase) => sql`m.id not in ${having(phrase)}`),
  ];
  return sql`select m.id from memories m where ${sql.join(conditions, sql` and `)}`;
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
