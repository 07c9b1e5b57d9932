import { useCallback, useEffect, useState } from 'preact/hooks';
import { explain } from '../api/client.js';
import { onReconnect } from '../api/connection.js';

export interface Read<T> {
  /** Null before the first answer. */
  value: T | null;
  /** Why it could not be read; empty if it could. */
  problem: string;
  reload: () => Promise<void>;
}

/** Reads something from the server, and again when the server answers after a pause. */
export function useRead<T>(read: () => Promise<T>): Read<T> {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  const reload = useCallback(async () => {
    try {
      setValue(await read());
      setProblem('');
    } catch (error) {
      setProblem(explain(error));
    }
  }, []);
  useEffect(() => {
    void reload();
    return onReconnect(() => void reload());
  }, [reload]);
  return { value, problem, reload };
}
