import { type MemoryFilter, normaliseText, type TextHit } from '@recollect/core';
import { sql } from 'kysely';
import type { TextIndexTable } from '../dialect.js';
import { hasFilter, matchingMemories } from '../memories/filter.js';
import type { Database } from '../tables.js';
import { createCountMatches, createMatchWithin, createWordWeights, type MatchAny, scopeOf, toWords } from './match.js';

/** Weights of scope, title, body and notes: the scope only limits, a word in the title counts for three. */
const RANK = sql<number>`-bm25(chunk_text, 0, 3, 1, 1)`;

/** Full text by FTS5, contentless: the index holds the text as {@link normaliseText} makes it, and nothing twice. */
export function createTextIndex({ reader }: Database): TextIndexTable {
  const count = createCountMatches(reader);
  const weigh = createWordWeights(count);
  const matchWithin = createMatchWithin(reader);

  return {
    async write(trx, userId, rows) {
      const values = rows.map(({ chunkId, title, body, notes }) => [
        chunkId,
        normaliseText(title),
        normaliseText(body),
        normaliseText(notes),
      ]);
      await sql`insert into chunk_text (rowid, scope, title, body, notes)
        select value ->> 0, ${scopeOf(userId)}, value ->> 1, value ->> 2, value ->> 3
        from json_each(${JSON.stringify(values)})`.execute(trx);
    },

    async remove(trx, chunkIds) {
      await sql`delete from chunk_text where rowid in (select value from json_each(${JSON.stringify(chunkIds)}))`.execute(
        trx,
      );
    },

    async search(userId, query, { limit, filter }) {
      const matchAny = await matchWithin(userId);
      const words = await toWords(reader, matchAny, query);
      if (words.length === 0) return { hits: [], isComplete: true, coverage: 0 };
      const weighed = await weigh(matchAny, words);
      // Within a filter the rows of the rarest words may all lie outside.
      const rarest = hasFilter(filter) ? null : weighed.rarest;
      // `cross` keeps the order: with statistics of a store that was small SQLite would search anew for every chunk there is.
      const { rows } = await sql<{ chunkId: number; memoryId: string; score: number }>`
        select c.id as "chunkId", c.memory_id as "memoryId", r.score
        from (
          select rowid as id, ${RANK} as score from chunk_text
          where chunk_text match ${matchAny(words)} ${within(userId, filter)} ${among(matchAny, rarest)}
          order by score desc limit ${limit}
        ) r cross join chunks c on c.id = r.id where c.user_id = ${userId}
        order by r.score desc`.execute(reader);
      const hits = rows.map((row): TextHit => ({ ...row, score: positive(row.score) }));
      return { hits, isComplete: rarest === null && hits.length < limit, coverage: weighed.coverage };
    },

    async frequencies(userId, terms) {
      const matchAny = await matchWithin(userId);
      const matches = terms.map((term) => matchAny([`"${term.join(' ')}"`]));
      const counted = await count(matches);
      return { total: counted.get('') ?? 0, counts: matches.map((match) => counted.get(match) ?? 0) };
    },

    async scores(userId, query, chunkIds) {
      const matchAny = await matchWithin(userId);
      const words = await toWords(reader, matchAny, query);
      if (words.length === 0) return new Map();
      const { rows } = await sql<{ id: number; score: number }>`
        select rowid as id, ${RANK} as score from chunk_text
        where chunk_text match ${matchAny(words)}
        and +rowid in (select value from json_each(${JSON.stringify(chunkIds)}))`.execute(reader);
      return new Map(rows.map(({ id, score }) => [id, positive(score)]));
    },
  };

  // The plus before rowid keeps SQLite from looking each row up for itself, which counts every word's rows anew each time.

  /** The condition that a row is of a memory that meets the filter. */
  function within(userId: string, filter: MemoryFilter) {
    if (!hasFilter(filter)) return sql``;
    return sql`and +rowid in (select c.id from chunks c
      where c.user_id = ${userId} and c.memory_id in (${matchingMemories(reader, userId, filter)}))`;
  }

  /** The condition that a row holds one of the words; it is ranked by all words of the query all the same. */
  function among(matchAny: MatchAny, words: readonly string[] | null) {
    if (words === null) return sql``;
    return sql`and +rowid in (select rowid from chunk_text where chunk_text match ${matchAny(words)})`;
  }
}

/** BM25 of a word that is in more than half of the rows is 0 or less in FTS5; it matched all the same. */
function positive(score: number): number {
  return Math.max(score, 1e-6);
}
