import type { TextHit, TextResult } from '@recollect/core';
import { addComments, mayBeInComments } from '@recollect/core/threads';
import type { All } from './all.js';
import type { Condition } from './condition.js';
import { isWithin, parametersOf, quote, scopeOf, type TextRequest } from './match.js';

/** Restricts an expression of FTS5 to the comments of a user's memories. */
export function inCommentsOf(userId: string, expression: string): string {
  return `scope : "${scopeOf(userId)}" AND body : (${expression})`;
}

/** An expression for each word of a query, the last of which may be unfinished. */
function wordsOf({ terms, prefix }: TextRequest['query']): string[] {
  return terms.map((term) =>
    term.length === 1 && term[0] === prefix ? `(${quote(term)} OR ${quote(term)} *)` : quote(term),
  );
}

/** The condition that a memory meets another one, or has a phrase in its comments. */
export function orInComments({ sql, parameters }: Condition, userId: string, phrase: readonly string[]): Condition {
  const match = inCommentsOf(userId, quote(phrase));
  const commented = `select c.memory_id from (select rowid as id from comment_text where comment_text match ?) r
    cross join chunks c on c.id = r.id where c.user_id = ?`;
  return { sql: `(${sql} or id in (${commented}))`, parameters: [...parameters, match, userId] };
}

/**
 * Makes a function that adds memories whose comments have all words of the query. Words that occur nowhere, as a
 * corrected one does, do not count.
 */
export function createCommentSearch(all: All): (textResult: TextResult, request: TextRequest) => TextResult {
  const has = (table: 'comment_text' | 'chunk_text', match: string) =>
    all(`select 1 from ${table} where ${table} match ? limit 1`, [match]).length > 0;
  const isKnown = (userId: string, word: string) =>
    has('comment_text', inCommentsOf(userId, word)) || has('chunk_text', word);

  return (textResult, request) => {
    const { userId, query, limit, within, also } = request;
    if (!mayBeInComments(query) || all('select 1 from comment_text_docsize limit 1', []).length === 0)
      return textResult;
    const words = wordsOf(query).filter((word) => isKnown(userId, word));
    if (words.length === 0) return textResult;
    const rows = all(
      `select r.id as chunkId, c.memory_id as memoryId, r.score from (
        select rowid as id, -bm25(comment_text, 0, 1) as score from comment_text
        where comment_text match ? and +${isWithin(within)} order by score desc limit ?
      ) r cross join chunks c on c.id = r.id where c.user_id = ?`,
      [inCommentsOf(userId, words.join(' AND ')), ...parametersOf(userId, within), limit, userId],
    ) as TextHit[];
    return addComments(textResult, rows, { limit, also });
  };
}
