import type { TextHit, TextResult } from '@recollect/core';
import type { All } from './all.js';
import type { Condition } from './condition.js';
import { isWithin, parametersOf, quote, scopeOf, type TextRequest } from './match.js';

/** The greatest score, relative to a full match. A text of usual length with all words has at least a third. */
const WEIGHT = 0.25;
/** The share of the words that counts as known if only comments have them. */
const COVERAGE = 0.4;
/** Longer queries are not looked for in comments: none has so many words. */
const MAX_WORDS = 16;

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
 * Makes a function that adds memories whose comments have all words of the query, below texts that have them. Words
 * that occur nowhere, as a corrected one does, do not count. A hit is the first chunk of its memory.
 */
export function createCommentSearch(all: All): (textResult: TextResult, request: TextRequest) => TextResult {
  const has = (table: 'comment_text' | 'chunk_text', match: string) =>
    all(`select 1 from ${table} where ${table} match ? limit 1`, [match]).length > 0;
  const isKnown = (userId: string, word: string) =>
    has('comment_text', inCommentsOf(userId, word)) || has('chunk_text', word);

  return (textResult, request) => {
    const { userId, query, limit, within, also } = request;
    if (query.terms.length > MAX_WORDS || all('select 1 from comment_text_docsize limit 1', []).length === 0)
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
    const greatest = Math.max(0, ...rows.map(({ score }) => score));
    const scores = new Map(textResult.scores);
    const hits = new Map(textResult.hits.map((hit) => [hit.chunkId, hit]));
    const inComments: number[] = [];
    for (const { chunkId, memoryId, score: own } of rows) {
      const score = WEIGHT * textResult.fullScore * (greatest > 0 ? Math.max(own, 0) / greatest : 1);
      if (score <= (scores.get(chunkId) ?? hits.get(chunkId)?.score ?? 0)) continue;
      inComments.push(chunkId);
      if (also.includes(chunkId)) scores.set(chunkId, score);
      else hits.set(chunkId, { chunkId, memoryId, score });
    }
    if (inComments.length === 0) return textResult;
    return {
      ...textResult,
      hits: [...hits.values()].sort((a, b) => b.score - a.score).slice(0, limit),
      scores,
      coverage: Math.max(textResult.coverage, COVERAGE),
      inComments,
    };
  };
}
