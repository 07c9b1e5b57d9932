import type { ListAnswer, LookupAnswer } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { DEAD_LINK, type Link } from '../ports/index.js';

const { lookupUrls } = limits.memories;

/** Reads links, in this process or through a server. */
export interface LinkReader {
  /** A page of the memories that operators select, newest first. */
  list(filter: string, cursor: string | null): Promise<Pick<ListAnswer, 'memories' | 'nextCursor'>>;
  lookup(urls: readonly string[]): Promise<LookupAnswer>;
}

/**
 * Finds links whose pages are neither saved nor gone, newest first.
 *
 * @param operators narrow the links, such as `tag:recipe`
 */
export async function linksWithoutPage(
  reader: LinkReader,
  operators: readonly string[],
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<Link[]> {
  const links: Link[] = [];
  const filter = [...operators, 'is:link', `-tag:${DEAD_LINK}`].join(' ');
  let cursor: string | null = null;
  do {
    const listed: Awaited<ReturnType<LinkReader['list']>> = await reader.list(filter, cursor);
    const found = listed.memories.flatMap(({ id, title, url, tags, capturedAt }) =>
      url === null ? [] : [{ id, title, url, tags, capturedAt }],
    );
    links.push(...(await withoutPage(reader, found)));
    cursor = listed.nextCursor;
  } while (cursor !== null && links.length < limit && !signal.aborted);
  return links.slice(0, limit);
}

/** A link with a description stays beside its page, which is then the newer memory of the address. */
async function withoutPage(reader: LinkReader, links: readonly Link[]): Promise<Link[]> {
  const open: Link[] = [];
  for (let start = 0; start < links.length; start += lookupUrls) {
    const some = links.slice(start, start + lookupUrls);
    const { found } = await reader.lookup(some.map(({ url }) => url));
    const newest = new Map(found.map(({ url, id }) => [url, id]));
    open.push(...some.filter(({ id, url }) => (newest.get(url) ?? id) === id));
  }
  return open;
}
