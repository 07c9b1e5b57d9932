import { procliticForms } from '@recollect/contract/text';
import type { TextQuery } from '@recollect/core';
import {
  type Completion,
  type CountedWord,
  completionsOf,
  createForms,
  MIN_TYPED_ROWS,
  planWords,
  type WordPlan,
} from '@recollect/core/threads';
import type { CountWords, IndexSize } from './count-words.js';
import { anyQuery, beginningQuery, phraseQuery } from './lexemes.js';
import type { StoredWords } from './stored-words.js';

/** How a search ranks texts, with what it needs to know of the index. */
export interface SearchPlan extends WordPlan, IndexSize {
  userId: string;
  query: TextQuery;
  formOf: (word: string) => string;
  /** For each term, the rows that have it as it was typed. */
  termRows: readonly number[];
}

/**
 * Plans a search with one statement, which counts the rows of all words that it may need. Words that an unfinished last
 * word may become are added if few rows contain it as typed.
 */
export async function planSearch(
  countWords: CountWords,
  storedWords: StoredWords,
  userId: string,
  query: TextQuery,
): Promise<SearchPlan> {
  const formOf = createForms();
  const terms = query.terms.map((term) => phraseQuery(term, formOf));
  const forms = query.terms.flatMap(([word, ...more]) =>
    word === undefined || more.length > 0 ? [] : procliticForms(word).map((form) => phraseQuery([form], formOf)),
  );
  const longer = query.prefix === null ? [] : await beginningsOf(storedWords, userId, query.prefix, formOf);
  const typed = query.prefix === null ? null : phraseQuery([query.prefix], formOf);
  const asked = [...new Set([...terms, ...forms, ...longer, ...(typed === null ? [] : [typed])])];
  const { rows, ...size } = await countWords(userId, asked);
  const rowsOf = new Map(asked.map((word, at) => [word, rows[at] ?? 0]));
  const counted = (words: Iterable<string>): CountedWord[] =>
    Array.from(words, (word) => ({ word, rows: rowsOf.get(word) ?? 0 }));
  // Two words of a query that have the same stem count twice, as they do in SQLite.
  const words = new Map(query.terms.map((term, at) => [term.join(' '), terms[at] ?? '']));
  const completion = longer.find((word) => (rowsOf.get(word) ?? 0) > 0);
  const typedRows = typed === null ? MIN_TYPED_ROWS : (rowsOf.get(typed) ?? 0);
  if (completion !== undefined && query.prefix !== null && typedRows < MIN_TYPED_ROWS) {
    if (typedRows === 0) words.delete(query.prefix);
    words.set(completion, completion);
  }
  const termRows = terms.map((word) => rowsOf.get(word) ?? 0);
  const plan = planWords(counted(words.values()), counted(new Set(forms)), termRows, size.total);
  return { ...plan, ...size, userId, query, formOf, termRows };
}

/** Queries for the completions of an unfinished word. The first one that a row has is enough. */
export async function beginningsOf(
  storedWords: StoredWords,
  userId: string,
  prefix: string,
  formOf: (word: string) => string,
): Promise<string[]> {
  const queries: string[] = [];
  for (const completion of completionsOf(prefix)) queries.push(...(await queriesOf(completion)));
  return queries;

  async function queriesOf(completion: Completion): Promise<string[]> {
    if (completion === 'words of the texts') {
      const words = await storedWords.beginningWith(userId, prefix);
      return words.length === 0 ? [] : [anyQuery(words, formOf)];
    }
    return 'words' in completion
      ? [anyQuery(completion.words, formOf)]
      : [beginningQuery(completion.beginnings, formOf)];
  }
}
