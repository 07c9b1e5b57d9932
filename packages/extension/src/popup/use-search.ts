import type { QueryAnswer } from '@recollect/contract';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Connection } from '../saving/connection.js';
import { messageOf } from '../saving/status.js';

/** Milliseconds without a keystroke before a search begins. */
const DEBOUNCE_MS = 150;
const MAX_RESULTS = 8;

export type Result = QueryAnswer['results'][number];

type Answer = Pick<QueryAnswer, 'corrected' | 'suggestion' | 'interpreted' | 'results' | 'warnings'>;

export type Found =
  | { state: 'idle' }
  /** Keeps the previous results during the search. */
  | ({ state: 'searching' } & Answer)
  | ({ state: 'found' } & Answer)
  | { state: 'failed'; problem: string };

/** Searches as the user types. A new search cancels the one before it. With `asTyped`, no word is taken for another. */
export function useSearch(connection: Connection, query: string, asTyped: boolean) {
  const [found, setFound] = useState<Found>({ state: 'idle' });
  const running = useRef<AbortController>(null);

  const search = useCallback(async () => {
    running.current?.abort();
    const trimmed = query.trim();
    if (trimmed === '') return setFound({ state: 'idle' });
    if (connection.state !== 'connected') {
      return setFound({ state: 'failed', problem: 'Search requires a connection to your Recollect.' });
    }
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setFound((before) => ({ ...('results' in before ? before : { results: [] }), state: 'searching' }));
    try {
      const answer = await connection.client('query', {
        body: { query: trimmed, limit: MAX_RESULTS, asTyped },
        signal,
      });
      if (!signal.aborted) setFound({ ...answer, state: 'found' });
    } catch (error) {
      if (signal.aborted) return;
      setFound({ state: 'failed', problem: messageOf(error) });
    }
  }, [connection, query, asTyped]);

  useEffect(() => {
    const timer = setTimeout(() => void search(), query.trim() === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search, query]);

  return { found, search };
}
