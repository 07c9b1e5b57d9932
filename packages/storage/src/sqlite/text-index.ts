import type { MemoryFilter, TextHit, TextIndex } from '@recollect/core';
import { sql } from 'kysely';
import type { Database } from '../dialect.js';
import { hasFilter, matchingMemories } from '../memories/filter.js';
import { createCountMatches, createMatchWithin, createWordWeights, type MatchAny, toWords } from './match.js';

/** Weights of scope, title, body and notes: the scope only restricts, and a word in the title counts three times. */
const RANK = sql<number>`-bm25(chunk_text, 0, 3, 1, 1)`;

/** Full-text search by FTS5. The index is contentless: it does not store a second copy of the text. */
export function createTextIndex({ reader, list }: Database): TextIndex {
  const count = createCountMatches(reader);
  const weigh = createWordWeights(count);
  const matchWithin = createMatchWithin(reader);

  return {
    async search(userId, query, { limit, filter }) {
      const matchAny = await matchWithin(userId);
      const words = await toWords(reader, matchAny, query);
      if (words.length === 0) return { hits: [], isComplete: true, coverage: 0 };
      const weighed = await weigh(matchAny, words);
      // With a filter, the rows of the rarest words may all be outside it.
      const rarest = hasFilter(filter) ? null : weighed.rarest;
      // `cross` fixes the join order: with statistics from when the store was small, SQLite would search again for every chunk.
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
        and +rowid in ${list.numbers(chunkIds)}`.execute(reader);
      return new Map(rows.map(({ id, score }) => [id, positive(score)]));
    },
  };

  // The plus before rowid keeps SQLite from looking up each row separately, which would count every word's rows each time.

  /** The condition that a row belongs to a memory that meets the filter. */
  function within(userId: string, filter: MemoryFilter) {
    if (!hasFilter(filter)) return sql``;
    return sql`and +rowid in (select c.id from chunks c
      where c.user_id = ${userId} and c.memory_id in (${matchingMemories(reader, userId, filter)}))`;
  }

  /** The condition that a row contains one of the words. It is still ranked by all words of the query. */
  function among(matchAny: MatchAny, words: readonly string[] | null) {
    if (words === null) return sql``;
    return sql`and +rowid in (select rowid from chunk_text where chunk_text match ${matchAny(words)})`;
  }
}

/** In FTS5 the BM25 of a word that is in more than half of the rows is 0 or less, although the row matched. */
function positive(score: number): number {
  return Math.max(score, 1e-6);
}
