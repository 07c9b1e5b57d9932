import type { TextQuery } from '@recollect/core';
import {
  createPhraseFinder,
  distinctPhrases,
  endingsOf,
  MAX_COMPARED_PAIRS,
  MAX_OCCURRENCES,
  type Phrase,
  reachOf,
  repeatsWords,
  toPhrase,
} from '@recollect/core/threads';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.js';
import type { Condition } from './condition.js';
import { opensWith } from './lexemes.js';
import { createQueries, type WordQueries } from './word-queries.js';

/** So many memories are listed rather than looked up by each statement. */
const MAX_LISTED_MEMORIES = 2_000;

type Narrow = (userId: string, query: TextQuery, within: Condition | null) => Promise<Condition | null>;

/** Makes a function that gives the condition of a search with the phrases that memories must and must not contain. */
export function createNarrow(db: Kysely<Tables>): Narrow {
  return async (userId, { phrases = [], excluded = [] }, within) => {
    if (phrases.length + excluded.length === 0) return within;
    const queries = createQueries(userId);
    const conditions = [sql`m.user_id = ${userId}`, ...(within === null ? [] : [sql`m.id in (${within})`])];
    for (const phrase of distinctPhrases(phrases)) {
      const inTexts = await containing(db, userId, [phrase], queries);
      conditions.push(sql`(m.id in (${inTexts}) or m.id in (${inComments(userId, phrase, queries)}))`);
    }
    if (excluded.length > 0)
      conditions.push(sql`m.id not in (${await containing(db, userId, distinctPhrases(excluded), queries)})`);
    const condition = sql<{ id: string }>`select m.id from memories m where ${sql.join(conditions, sql` and `)}`;
    const { rows } = await sql<{ id: string }>`${condition} limit ${MAX_LISTED_MEMORIES + 1}`.execute(db);
    if (rows.length > MAX_LISTED_MEMORIES) return condition;
    return sql`select unnest(${rows.map(({ id }) => id)}::text[])`;
  };
}

/** The memories that have a phrase in their comments. */
function inComments(userId: string, phrase: Phrase, queries: WordQueries): RawBuilder<unknown> {
  return sql`select c.memory_id from comment_text t join chunks c on c.user_id = ${userId} and c.id = t.chunk_id
    where t.user_id = ${userId} and t.words @@ ${queries.phrase(phrase)}::tsquery`;
}

/** The memories that have any of some phrases in their texts. */
async function containing(
  db: Kysely<Tables>,
  userId: string,
  phrases: readonly Phrase[],
  queries: WordQueries,
): Promise<RawBuilder<unknown>> {
  const repeating = phrases.filter((phrase) => repeatsWords(phrase, queries.formOf));
  const others = phrases.filter((phrase) => !repeating.includes(phrase));
  const ids: string[] = [];
  for (const phrase of repeating) ids.push(...(await findRepeating(db, userId, phrase, queries)));
  for (const phrase of others) ids.push(...(await findAcross(db, userId, phrase, queries)));
  const listed = sql`select unnest(${ids}::text[])`;
  return others.length === 0 ? listed : sql`${inChunks(userId, others, queries)} union ${listed}`;
}

function inChunks(userId: string, phrases: readonly Phrase[], queries: WordQueries): RawBuilder<unknown> {
  const query = phrases.map((phrase) => `(${queries.phrase(phrase)})`).join(' | ');
  return sql`select c.memory_id from chunk_text t join chunks c on c.user_id = ${userId} and c.id = t.chunk_id
    where t.user_id = ${userId} and t.words @@ ${query}::tsquery`;
}

/** The memories in which a phrase begins at the end of one chunk and ends at the beginning of the next. */
async function findAcross(db: Kysely<Tables>, userId: string, phrase: Phrase, queries: WordQueries): Promise<string[]> {
  const [first] = phrase;
  const { formOf } = queries;
  if (first === undefined || phrase.length < 2) return [];
  const endings = endingsOf(phrase);
  const query = endings.map((ending) => `(${queries.phrase(ending)})`).join(' | ');
  const patterns = endings.map((ending) => opensWith(ending, formOf));
  const reach = reachOf(phrase);
  const { rows } = await sql<{ id: string; before: string; after: string }>`
    select b.memory_id as id, right(a.text, ${reach}::integer) as before, left(b.text, ${reach}::integer) as after
    from chunk_text t
    join chunks b on b.user_id = ${userId} and b.id = t.chunk_id
    join chunks a on a.user_id = ${userId} and a.memory_id = b.memory_id and a.position = b.position - 1
    join chunk_text s on s.user_id = ${userId} and s.chunk_id = a.id
    where t.user_id = ${userId} and t.words @@ ${query}::tsquery and t.opening like any(${patterns}::text[])
      and s.words @@ ${queries.phrase([first])}::tsquery
    limit ${MAX_COMPARED_PAIRS}`.execute(db);
  const isIn = createPhraseFinder(phrase.map(formOf));
  const texts = new Map(rows.map(({ before, after }) => [before + after, false]));
  for (const text of texts.keys()) texts.set(text, isIn(toPhrase(text).map(formOf)));
  return [...new Set(rows.flatMap(({ id, before, after }) => (texts.get(before + after) === true ? [id] : [])))];
}

/** The memories that have a phrase whose words repeat. Those that have its beginning are read. */
async function findRepeating(
  db: Kysely<Tables>,
  userId: string,
  phrase: Phrase,
  queries: WordQueries,
): Promise<string[]> {
  const { formOf } = queries;
  const isIn = createPhraseFinder(phrase.map(formOf));
  const beginning = inChunks(userId, [phrase.slice(0, MAX_OCCURRENCES)], queries);
  const { rows } = await sql<{ id: string; fields: string[]; text: string | null }>`
    select m.id, array[m.title, m.tags || E'\n' || coalesce(m.note, '')] as fields,
      (select string_agg(c.text, '' order by c.position) from chunks c
       where c.user_id = ${userId} and c.memory_id = m.id) as text
    from memories m where m.user_id = ${userId} and m.id in (${beginning})`.execute(db);
  return rows.flatMap(({ id, fields, text }) =>
    [...fields, text ?? ''].some((field) => isIn(toPhrase(field).map(formOf))) ? [id] : [],
  );
}
