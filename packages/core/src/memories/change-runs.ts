import type { ChangeRun } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { HistoryStore } from '../ports/index.js';

/** How far a change of many memories is. */
export interface ChangeProgress {
  changeId: string;
  matched: number;
  examined: number;
  changed: number;
}

/** How a change of many memories is watched, and stopped between two batches. */
export interface WatchOptions {
  /** Called before the first batch and after each. */
  onProgress?: ((progress: ChangeProgress) => void) | undefined;
  /** Ends the change with the signal's reason. What was changed stays changed. */
  signal?: AbortSignal | undefined;
}

/** Changes of many memories that go on after their requests were answered, because a proxy or a client would give up (MEM-4). */
export interface ChangeRuns {
  /** The result of a change, or, as soon as it is known to be a large one, how far it is. */
  begin<T>(userId: string, change: (options: WatchOptions) => Promise<T>): Promise<T | ChangeRun>;
  /** Throws NOT_FOUND. */
  find(userId: string, changeId: string): Promise<ChangeRun>;
  /** Stops all changes, each after its present batch. */
  stop(): Promise<void>;
}

/** Changes that have ended are remembered for clients that still follow them. */
const REMEMBERED = 100;

export function createChangeRuns({ history }: { history: Pick<HistoryStore, 'ofChange'> }): ChangeRuns {
  const runs = new Map<string, ChangeRun>();
  const working = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const keyOf = (userId: string, changeId: string) => `${changeId} ${userId}`;

  const remember = (key: string, run: ChangeRun) => {
    runs.set(key, run);
    for (const [old, { state }] of runs) {
      if (runs.size <= REMEMBERED) break;
      if (state !== 'running') runs.delete(old);
    }
  };

  return {
    begin(userId, change) {
      return new Promise((resolve, reject) => {
        let run: ChangeRun | null = null;
        const stop = new AbortController();
        const onProgress = ({ changeId, matched, examined, changed }: ChangeProgress) => {
          if (matched <= limits.memories.changeAtOnce) return;
          const isFirst = run === null;
          run = { changeId, state: 'running', matched, examined, changed, problem: null };
          remember(keyOf(userId, changeId), run);
          if (isFirst) resolve(run);
          // A smaller change has the time that its request has.
          if (stopping.signal.aborted) stop.abort(stopping.signal.reason);
        };
        const end = (state: ChangeRun['state'], problem: ChangeRun['problem'] = null) => {
          if (run !== null) remember(keyOf(userId, run.changeId), { ...run, state, problem });
        };
        const work = change({ onProgress, signal: stop.signal }).then(
          (result) => {
            end('done');
            resolve(result);
          },
          (error: unknown) => {
            if (stop.signal.aborted) end('stopped');
            else end('failed', describe(error));
            reject(error);
          },
        );
        working.add(work);
        void work.finally(() => working.delete(work));
      });
    },

    async find(userId, changeId) {
      const run = runs.get(keyOf(userId, changeId));
      if (run !== undefined) return run;
      const { length } = await history.ofChange(userId, changeId);
      if (length === 0) throw new RecollectError('NOT_FOUND', 'There is no change with this id.');
      return { changeId, state: 'ended', matched: null, examined: length, changed: length, problem: null };
    },

    async stop() {
      stopping.abort(new RecollectError('UNAVAILABLE', 'The server is stopping.'));
      await Promise.all(working);
    },
  };
}

function describe(error: unknown): ChangeRun['problem'] {
  return error instanceof RecollectError
    ? { code: error.code, detail: error.message }
    : { code: 'INTERNAL', detail: 'The change failed. The log of the server says why.' };
}
