import { limits } from '@recollect/contract/limits';
import { formatOperator, splitQuery } from '@recollect/contract/query-syntax';
import type { Link } from '@recollect/core';
import type { CallOperation } from '../executor/executor.js';

const { page } = limits.memories;

/** Pages that a query with words selects: the best ones. */
const BEST = 50;

/**
 * The saved pages that a query selects and that the command line fetched, newest first; with words, the best results.
 * A page that the extension saved is left out: it may be one that only its user can open.
 */
export async function findPages(call: CallOperation, query: string, signal: AbortSignal): Promise<Link[]> {
  const { operators, words } = splitQuery(query);
  const filter = [...operators.map(formatOperator), 'by:cli', '-is:link'].join(' ');
  if (words !== '') {
    const { results } = await call('query', { body: { query: `${filter} ${words}`, limit: BEST, prefix: false } });
    return results.flatMap(({ id, title, url, tags, capturedAt }) =>
      isFetched(url) ? [{ id, title, url, tags, capturedAt }] : [],
    );
  }
  const pages: Link[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: page.maximum, filter, ...(cursor === null ? {} : { cursor }) };
    const answer: Awaited<ReturnType<typeof call<'listMemories'>>> = await call('listMemories', { query });
    for (const { id, title, url, tags, capturedAt } of answer.memories)
      if (isFetched(url)) pages.push({ id, title, url, tags, capturedAt });
    cursor = answer.nextCursor;
  } while (cursor !== null && !signal.aborted);
  return pages;
}

function isFetched(url: string | null): url is string {
  return url !== null && /^https?:/.test(url);
}
