import { procliticForms } from '@recollect/contract/text';
import type { TextQuery } from '@recollect/core';
import {
  type Completion,
  type CountedWord,
  completionsOf,
  MIN_TYPED_ROWS,
  planWords,
  type WordPlan,
} from '@recollect/core/threads';
import type { CountWords, IndexSize } from './count-words.js';
import type { StoredWords } from './stored-words.js';
import { createQueries, type WordQueries } from './word-queries.js';

/** How a search ranks texts, with what it needs to know of the index. */
export interface SearchPlan extends WordPlan, IndexSize {
  userId: string;
  query: TextQuery;
  queries: WordQueries;
  /** For each term, the rows that have it as it was typed. */
  termRows: readonly number[];
}

/**
 * Plans a search with one statement, which counts the rows of all words that it may need. If few rows have an
 * unfinished last word as it was typed, others count the words that it may become.
 */
export async function planSearch(
  countWords: CountWords,
  storedWords: StoredWords,
  userId: string,
  query: TextQuery,
): Promise<SearchPlan> {
  const queries = createQueries(userId);
  const terms = query.terms.map((term) => queries.phrase(term));
  const forms = query.terms.flatMap(([word, ...more]) =>
    word === undefined || more.length > 0 ? [] : procliticForms(word).map((form) => queries.phrase([form])),
  );
  const typed = query.prefix === null ? null : queries.phrase([query.prefix]);
  const asked = [...new Set([...terms, ...forms, ...(typed === null ? [] : [typed])])];
  const { rows, ...size } = await countWords(userId, asked);
  const rowsOf = new Map(asked.map((word, at) => [word, rows[at] ?? 0]));
  // Two words of a query that have the same stem count twice, as they do in SQLite.
  const words = new Map(query.terms.map((term, at) => [term.join(' '), terms[at] ?? '']));
  const typedRows = typed === null ? MIN_TYPED_ROWS : (rowsOf.get(typed) ?? 0);
  if (query.prefix !== null && typedRows < MIN_TYPED_ROWS) {
    const longer = await beginningsOf(storedWords, userId, query.prefix, queries);
    const longerRows = longer.length === 0 ? [] : (await countWords(userId, longer)).rows;
    const at = longerRows.findIndex((count) => count > 0);
    const completion = longer[at];
    if (completion !== undefined) {
      rowsOf.set(completion, longerRows[at] ?? 0);
      if (typedRows === 0) words.delete(query.prefix);
      words.set(completion, completion);
    }
  }
  const counted = (some: Iterable<string>): CountedWord[] =>
    Array.from(some, (word) => ({ word, rows: rowsOf.get(word) ?? 0 }));
  const termRows = terms.map((word) => rowsOf.get(word) ?? 0);
  const plan = planWords(counted(words.values()), counted(new Set(forms)), termRows, size.total);
  return { ...plan, ...size, userId, query, queries, termRows };
}

/** Queries for the completions of an unfinished word. The first one that a row has is enough. */
export async function beginningsOf(
  storedWords: StoredWords,
  userId: string,
  prefix: string,
  words: WordQueries,
): Promise<string[]> {
  const queries: string[] = [];
  for (const completion of completionsOf(prefix)) queries.push(...(await queriesOf(completion)));
  return queries;

  async function queriesOf(completion: Completion): Promise<string[]> {
    if (completion === 'words of the texts') {
      const stored = await storedWords.beginningWith(userId, prefix);
      return stored.length === 0 ? [] : [words.any(stored)];
    }
    return 'words' in completion ? [words.any(completion.words)] : [words.beginning(completion.beginnings)];
  }
}
