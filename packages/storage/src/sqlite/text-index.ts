import { normaliseText, type TextHit, type TextQuery } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import type { TextIndexTable } from '../dialect.js';
import { hasFilter, matchingMemories } from '../filter.js';
import type { Database, Tables } from '../tables.js';
import { scopeOf } from './scope.js';

/** Weights of scope, title, body and notes: the scope only limits, a word in the title counts for three. */
const RANK = sql<number>`-bm25(chunk_text, 0, 3, 1, 1)`;

/** What a typed beginning may be the middle of. The index holds stems, of which "runnin" is no beginning, but "running" has one. */
const ENDINGS = ['ing', 'ed', 'er', 'es', 'ies', 'ly', 'ness', 'ment', 'ation', 'ations', 'ional'];

/** Rows that hold an unfinished word as it is from which on it is taken for finished. */
const ENOUGH = 10;

/** Full text by FTS5, contentless: the index holds the text as {@link normaliseText} makes it, and nothing twice. */
export function createTextIndex({ reader }: Database): TextIndexTable {
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
      await sql`delete from chunk_text where rowid in (select value from json_each(${JSON.stringify(chunkIds)}))`.execute(trx);
    },

    async search(userId, query, { limit, filter }) {
      const match = await toMatch(reader, userId, query);
      if (match === null) return [];
      const ranked = hasFilter(filter)
        ? sql`select t.rowid as id, ${RANK} as score from chunk_text t
              where t.chunk_text match ${match} and t.rowid in (
                select c.id from chunks c where c.user_id = ${userId}
                and c.memory_id in (${matchingMemories(reader, userId, filter)}))
              order by score desc limit ${limit}`
        : sql`select rowid as id, ${RANK} as score from chunk_text
              where chunk_text match ${match} order by score desc limit ${limit}`;
      const { rows } = await sql<{ chunkId: number; memoryId: string; score: number }>`
        select c.id as "chunkId", c.memory_id as "memoryId", r.score
        from (${ranked}) r join chunks c on c.id = r.id where c.user_id = ${userId}
        order by r.score desc`.execute(reader);
      return rows.map((row): TextHit => ({ ...row, score: positive(row.score) }));
    },

    async scores(userId, query, chunkIds) {
      const match = await toMatch(reader, userId, query);
      if (match === null) return new Map();
      // The plus keeps SQLite from looking each row up for itself, which counts every word's documents anew each time.
      const { rows } = await sql<{ id: number; score: number }>`
        select rowid as id, ${RANK} as score from chunk_text
        where chunk_text match ${match} and +rowid in (select value from json_each(${JSON.stringify(chunkIds)}))`.execute(
        reader,
      );
      return new Map(rows.map(({ id, score }) => [id, positive(score)]));
    },
  };
}

/** BM25 of a word that is in more than half of the rows is 0 or less in FTS5; it matched all the same. */
function positive(score: number): number {
  return Math.max(score, 1e-6);
}

/**
 * The query in FTS5's syntax, every word quoted (QRY-6), within the user's rows. An unfinished last word that few rows
 * hold as it is stands for every word that it begins: in its place, since both would count the same word twice.
 */
async function toMatch(db: Kysely<Tables>, userId: string, { terms, prefix }: TextQuery): Promise<string | null> {
  const within = (words: readonly string[]) =>
    `scope : "${scopeOf(userId)}" AND {title body notes} : (${words.join(' OR ')})`;
  const words = new Set(terms.map((term) => `"${term.join(' ')}"`));
  if (prefix !== null && (await countMatches(db, within([`"${prefix}"`]), ENOUGH)) < ENOUGH) {
    const beginning = `"${prefix}" *`;
    words.delete(`"${prefix}"`);
    if ((await countMatches(db, within([beginning]), 1)) > 0) words.add(beginning);
    else for (const word of endingsOf(prefix)) words.add(`"${word}"`);
  }
  return words.size === 0 ? null : within([...words]);
}

/** How many rows match, counted up to a limit. */
async function countMatches(db: Kysely<Tables>, match: string, limit: number): Promise<number> {
  const { rows } = await sql`select 1 from chunk_text where chunk_text match ${match} limit ${limit}`.execute(db);
  return rows.length;
}

/** The words that a beginning may grow into by a common ending, part of which may be typed already. */
function endingsOf(prefix: string): string[] {
  return ENDINGS.flatMap((ending) =>
    Array.from({ length: ending.length }, (_, typed) => typed)
      .filter((typed) => prefix.endsWith(ending.slice(0, typed)))
      .map((typed) => prefix + ending.slice(typed)),
  );
}
