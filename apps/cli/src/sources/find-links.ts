import { limits } from '@recollect/contract/limits';
import type { CallOperation } from '../executor/executor.js';
import { DEAD_LINK, type Link } from './link.js';

const { page, lookupUrls } = limits.memories;

/** The links that match operators and whose pages are neither saved nor gone, the newest first. */
export async function findLinks(
  call: CallOperation,
  operators: readonly string[],
  signal: AbortSignal,
): Promise<Link[]> {
  const links: Link[] = [];
  const filter = [...operators, 'is:link', `-tag:${DEAD_LINK}`].join(' ');
  let cursor: string | null = null;
  do {
    const query = { limit: page.maximum, filter, ...(cursor === null ? {} : { cursor }) };
    const answer: Awaited<ReturnType<typeof call<'listMemories'>>> = await call('listMemories', { query });
    for (const { id, title, url, tags, capturedAt } of answer.memories)
      if (url !== null) links.push({ id, title, url, tags, capturedAt });
    cursor = answer.nextCursor;
  } while (cursor !== null && !signal.aborted);
  return withoutPage(call, links);
}

/**
 * The links whose page is not saved. A link with a description stays beside its page, which is then the newer memory of
 * the address.
 */
async function withoutPage(call: CallOperation, links: readonly Link[]): Promise<Link[]> {
  const newLinks: Link[] = [];
  for (let start = 0; start < links.length; start += lookupUrls) {
    const some = links.slice(start, start + lookupUrls);
    const { found } = await call('lookupMemories', { body: { urls: some.map(({ url }) => url) } });
    const newest = new Map(found.map(({ url, id }) => [url, id]));
    newLinks.push(...some.filter(({ id, url }) => (newest.get(url) ?? id) === id));
  }
  return newLinks;
}
