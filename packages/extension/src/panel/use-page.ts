import type { LookupAnswer } from '@recollect/contract';
import { parseUrl } from '@recollect/contract/text';
import { useEffect, useState } from 'preact/hooks';
import { onChange } from '../saving/changes.js';
import type { Connection } from '../saving/connection.js';
import { messageOf } from '../saving/status.js';

/** Milliseconds for which a tab must be shown before it is looked up, since people pass many. */
const DEBOUNCE_MS = 150;

/** The memories of a page and of its site. */
export type PageState =
  | { state: 'loading' }
  | { state: 'failed'; problem: string }
  | { state: 'found'; url: string; memory: LookupAnswer['found'][number] | null; ofSite: Memories };

type Memories = NonNullable<LookupAnswer['ofSite']>;

/** Looks a page up whenever it changes, and when something was saved. Null stands for no page. */
export function usePage(connection: Connection, url: string | null): PageState {
  const [page, setPage] = useState<PageState>({ state: 'loading' });
  const client = connection.state === 'connected' ? connection.client : null;
  useEffect(() => {
    if (client === null || url === null) return setPage({ state: 'loading' });
    let running = new AbortController();
    const look = async () => {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      const site = parseUrl(url)?.hostname ?? '';
      try {
        const body = { urls: [url], highlights: true, site };
        const { found, ofSite = [] } = await client('lookupMemories', { body, signal });
        if (!signal.aborted) setPage({ state: 'found', url, memory: found[0] ?? null, ofSite });
      } catch (error) {
        if (!signal.aborted) setPage({ state: 'failed', problem: messageOf(error) });
      }
    };
    setPage({ state: 'loading' });
    const timer = setTimeout(() => void look(), DEBOUNCE_MS);
    const stop = onChange(() => void look());
    return () => {
      clearTimeout(timer);
      running.abort();
      stop();
    };
  }, [client, url]);
  return page;
}
