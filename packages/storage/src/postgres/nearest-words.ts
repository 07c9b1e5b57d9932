import { procliticForms } from '@recollect/contract/text';
import type { TextIndex, UncertainWords } from '@recollect/core';
import { chooseWord, createForms, MAX_COUNTED_CHUNKS, type NearWord, nearWords } from '@recollect/core/threads';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.js';
import { anyQuery, phraseQuery } from './lexemes.js';
import { beginningsOf } from './plan-search.js';
import type { StoredWords } from './stored-words.js';

/** Makes the function that finds, for each word that the user's texts lack, the nearest word in them. */
export function createNearestWords(db: Kysely<Tables>, storedWords: StoredWords): TextIndex['nearestWords'] {
  const nearestTo = async (userId: string, word: string, beside: string): Promise<string | null> => {
    const formOf = createForms();
    const near = nearWords(await storedWords.of(userId), word);
    // A word with fewer mistakes is nearer than all with more.
    for (const [, group] of [...Map.groupBy(near, ({ distance }) => distance)].sort(([a], [b]) => a - b)) {
      const queries = group.map((similar) => phraseQuery([similar.word], formOf));
      const uses = await countUses(db, userId, queries, beside);
      let best: NearWord | null = null;
      for (const [at, similar] of group.entries())
        best = chooseWord(best, similar, uses[at] ?? { chunks: 0, together: 0 });
      if (best !== null) return best.word;
    }
    return null;
  };

  return async (userId, query, { signal, budget = Number.POSITIVE_INFINITY } = {}) => {
    const until = performance.now() + budget;
    const isKnown = await findKnown(db, storedWords, userId, query);
    const others = [...query.beside, ...query.words.filter((_, at) => isKnown[at])];
    const beside = anyQuery(others, createForms());
    const nearest: (string | null)[] = [];
    for (const [at, word] of query.words.entries()) {
      signal?.throwIfAborted();
      if (performance.now() > until) return nearest;
      nearest.push(isKnown[at] ? null : await nearestTo(userId, word, beside));
    }
    return nearest;
  };
}

/** Which of the words a text or a comment has. */
async function findKnown(
  db: Kysely<Tables>,
  storedWords: StoredWords,
  userId: string,
  { words, prefix }: UncertainWords,
): Promise<boolean[]> {
  const formOf = createForms();
  const queries: string[] = [];
  for (const word of words) {
    const forms = [word, ...procliticForms(word)].map((form) => phraseQuery([form], formOf));
    const longer = word === prefix ? await beginningsOf(storedWords, userId, word, formOf) : [];
    queries.push([...forms, ...longer].join(' | '));
  }
  const { rows } = await sql<{ isKnown: boolean }>`
    select exists (select 1 from chunk_text t where t.user_id = ${userId} and t.words @@ query::tsquery)
      or exists (select 1 from comment_text t where t.user_id = ${userId} and t.words @@ query::tsquery) as "isKnown"
    from unnest(${queries}::text[]) with ordinality as asked (query, place) order by place`.execute(db);
  return rows.map(({ isKnown }) => isKnown);
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
