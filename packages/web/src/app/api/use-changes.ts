import { useEffect, useRef } from 'preact/hooks';
import { onReconnect } from './connection.js';
import { onChanges } from './events.js';

/** Calls `work` with the ids of memories that changed; with null if any may have, as after the server did not answer. */
export function useChanges(work: (ids: readonly string[] | null) => void): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const stops = [onChanges((ids) => latest.current(ids)), onReconnect(() => latest.current(null))];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}
