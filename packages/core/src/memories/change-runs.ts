import type { ChangeRun } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { HistoryStore, ImportStore } from '../ports/index.js';

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
  /** Ends the change with the signal's reason. Finished batches stay changed. */
  signal?: AbortSignal | undefined;
}

/** Large changes, which run in the background: a proxy or a client would give up before their end (MEM-4). */
export interface ChangeRuns {
  /** Starts a change. Resolves to its result, or to its state once it turns out to be large. */
  begin<T>(userId: string, change: (options: WatchOptions) => Promise<T>): Promise<T | ChangeRun>;
  /** Throws NOT_FOUND. */
  find(userId: string, changeId: string): Promise<ChangeRun>;
  /** Stops all changes, each after its present batch. */
  stop(): Promise<void>;
}

/** Changes that have ended are remembered for clients that still follow them. */
const MAX_ENDED_RUNS = 100;

/** @param report receives errors that no request is left to be answered with, and that are not ours */
export function createChangeRuns(
  { history, imports }: { history: Pick<HistoryStore, 'ofChange'>; imports: Pick<ImportStore, 'created'> },
  report: (error: unknown) => void,
): ChangeRuns {
  const runs = new Map<string, ChangeRun>();
  const working = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const keyOf = (userId: string, changeId: string) => `${changeId} ${userId}`;

  const remember = (key: string, run: ChangeRun) => {
    runs.set(key, run);
    for (const [old, { state }] of runs) {
      if (runs.size <= MAX_ENDED_RUNS) break;
      if (state !== 'running') runs.delete(old);
    }
  };

  return {
    begin(userId, change) {
      return new Promise((resolve, reject) => {
        let run: ChangeRun | null = null;
        let progress: ChangeProgress | null = null;
        const stop = new AbortController();
        const onProgress = (reached: ChangeProgress) => {
          progress = reached;
          const { changeId, matched, examined, changed } = reached;
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
            else {
              if (run !== null && !(error instanceof RecollectError)) report(error);
              end('failed', toProblem(error));
            }
            reject(withProgress(error, progress));
          },
        );
        working.add(work);
        void work.finally(() => working.delete(work));
      });
    },

    async find(userId, changeId) {
      const run = runs.get(keyOf(userId, changeId));
      if (run !== undefined) return run;
      const changed = (await history.ofChange(userId, changeId)).map(({ memoryId }) => memoryId);
      const { size: length } = new Set([...changed, ...(await imports.created(userId, changeId))]);
      if (length === 0) throw new RecollectError('NOT_FOUND', 'There is no change with this id.');
      return { changeId, state: 'ended', matched: null, examined: length, changed: length, problem: null };
    },

    async stop() {
      stopping.abort(new RecollectError('UNAVAILABLE', 'The server is stopping.'));
      await Promise.all(working);
    },
  };
}

/** Adds to an error of the store the changes before it, so that they can be undone. */
function withProgress(error: unknown, progress: ChangeProgress | null): unknown {
  if (!(error instanceof RecollectError) || progress === null || progress.changed === 0) return error;
  const { changeId, changed, matched } = progress;
  const reason = error.message.replace(/ Nothing was changed\.(?: Try again.*)?$/, '');
  const sentence = `Before that, ${changed} of ${matched} memories were changed. Repeat the change for the others, or undo it: its id is ${changeId}.`;
  return new RecollectError(error.code, `${reason} ${sentence}`, {
    cause: error,
    extension: { ...error.extension, changeId, changed },
  });
}

function toProblem(error: unknown): ChangeRun['problem'] {
  return error instanceof RecollectError
    ? { code: error.code, detail: error.message }
    : { code: 'INTERNAL', detail: 'The change failed for an unexpected reason, which recollect status names.' };
}
