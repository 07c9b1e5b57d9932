import { procliticForms } from '@recollect/contract/text';
import type { TextIndex, UncertainWords } from '@recollect/core';
import { chooseWord, MAX_COUNTED_CHUNKS, type NearWord, nearWords } from '@recollect/core/threads';
import { type Kysely, sql } from 'kysely';
import { prepared } from '../prepared.js';
import type { Tables } from '../tables.js';
import { isInTexts } from './count-words.js';
import { endWith } from './limit-search.js';
import { beginningsOf } from './plan-search.js';
import type { StoredWords } from './stored-words.js';
import { createQueries, lexemeIn } from './word-queries.js';

/** Makes the function that finds, for each word that the user's texts lack, the nearest word in them. */
export function createNearestWords(db: Kysely<Tables>, storedWords: StoredWords): TextIndex['nearestWords'] {
  const nearestTo = async (userId: string, word: string, beside: string): Promise<string | null> => {
    const wordQueries = createQueries(userId);
    const near = nearWords(await storedWords.of(userId), word);
    // A word with fewer mistakes is nearer than all with more.
    for (const [, group] of [...Map.groupBy(near, ({ distance }) => distance)].sort(([a], [b]) => a - b)) {
      const queries = group.map((similar) => wordQueries.phrase([similar.word]));
      const uses = await countUses(db, userId, queries, beside);
      let best: NearWord | null = null;
      for (const [at, similar] of group.entries())
        best = chooseWord(best, similar, uses[at] ?? { chunks: 0, together: 0 });
      if (best !== null) return best.word;
    }
    return null;
  };

  const nearestOf = async (nearest: (string | null)[], userId: string, query: UncertainWords, until: number) => {
    const isKnown = await findKnown(db, storedWords, userId, query);
    const others = [...query.beside, ...query.words.filter((_, at) => isKnown[at])];
    const beside = createQueries(userId).any(others);
    for (const [at, word] of query.words.entries()) {
      if (performance.now() > until) return;
      nearest.push(isKnown[at] ? null : await nearestTo(userId, word, beside));
    }
  };

  return async (userId, query, { signal, budget = Number.POSITIVE_INFINITY } = {}) => {
    const nearest: (string | null)[] = [];
    const work = () => nearestOf(nearest, userId, query, performance.now() + budget);
    await (signal === undefined ? work() : endWith(signal, work));
    return nearest;
  };
}

/** Which of the words a text or a comment has. An unfinished word is known if a word begins with it. */
async function findKnown(
  db: Kysely<Tables>,
  storedWords: StoredWords,
  userId: string,
  { words, prefix }: UncertainWords,
): Promise<boolean[]> {
  const queries = createQueries(userId);
  const forms = words.map((word) => [word, ...procliticForms(word)].map((form) => queries.phrase([form])));
  const isKnown = await findPresent(db, userId, forms);
  const at = prefix === null ? -1 : words.indexOf(prefix);
  if (prefix === null || at < 0 || isKnown[at]) return isKnown;
  const [isBeginning = false] = await findPresent(db, userId, [
    await beginningsOf(storedWords, userId, prefix, queries),
  ]);
  return isKnown.with(at, isBeginning);
}

/** For each group of queries, whether a text or a comment matches one of them. */
async function findPresent(
  db: Kysely<Tables>,
  userId: string,
  groups: readonly (readonly string[])[],
): Promise<boolean[]> {
  const queries = groups.flatMap((group, at) => group.map((query) => ({ query, at })));
  const { rows } = await sql<{ at: number }>`
    ${prepared} select distinct at from unnest(${queries.map(({ query }) => query)}::text[],
      ${queries.map(({ query }) => lexemeIn(query))}::text[], ${queries.map(({ at }) => at)}::integer[]
    ) as asked (query, lexeme, at)
    where ${isInTexts(userId)} or exists (
      select 1 from comment_text t where t.user_id = ${userId} and t.words @@ asked.query::tsquery)`.execute(db);
  const present = new Set(rows.map(({ at }) => at));
  return groups.map((_, at) => present.has(at));
}

/** How many chunks have each word, or else how many comments, and how many chunks have it beside other words. */
async function countUses(
  db: Kysely<Tables>,
  userId: string,
  queries: readonly string[],
  beside: string,
): Promise<{ chunks: number; together: number }[]> {
  const count = (table: 'comment_text' | 'chunk_text', query: ReturnType<typeof sql>) => sql`(
    select count(*) from (
      select 1 from ${sql.table(table)} t where t.user_id = ${userId} and t.words @@ ${query}
      limit ${MAX_COUNTED_CHUNKS}
    ) matching)`;
  const both = beside === '' ? sql`0` : count('chunk_text', sql`(query::tsquery && ${beside}::tsquery)`);
  const { rows } = await sql<{ chunks: number; comments: number; together: number }>`
    select ${count('chunk_text', sql`query::tsquery`)} as chunks,
      ${count('comment_text', sql`query::tsquery`)} as comments, ${both} as together
    from unnest(${queries}::text[]) with ordinality as asked (query, place) order by place`.execute(db);
  return rows.map(({ chunks, comments, together }) => ({ chunks: chunks || comments, together }));
}
