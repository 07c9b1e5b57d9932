import type { ChangeAnswer, ChangeRun, UndoAnswer } from './change.js';
import { count } from './text/format.js';

/** Milliseconds between two questions, at first and at most. */
const WAIT = { first: 100, most: 1_000 };

/** Polls in a row without a response before giving up, a second apart. */
const MAX_TRIES = 60;

/** A change of many memories ended before it was complete. The message says how many were changed, and what to do. */
export class IncompleteChangeError extends Error {
  override readonly name = 'IncompleteChangeError';
  readonly changeId: string;
  /** How many memories are known to be changed. */
  readonly changed: number;
  constructor(message: string, { changeId, changed }: Pick<ChangeRun, 'changeId' | 'changed'>) {
    super(message);
    this.changeId = changeId;
    this.changed = changed;
  }
}

/** How a change of many memories is followed. */
export interface FollowOptions {
  /** Asks how the change stands (`changeState`). */
  read: (changeId: string) => Promise<ChangeRun>;
  onProgress?: (run: ChangeRun & { matched: number }) => void;
}

/**
 * Waits until a change that runs in the background has ended (MEM-4). Returns any other answer unchanged. Throws
 * {@link IncompleteChangeError}.
 *
 * @example
 * const read = (id: string) => client('changeState', { parameters: { id } });
 * const { changed } = await followChange(await client('changeMemories', { body }), { read });
 */
export async function followChange(answer: ChangeAnswer | ChangeRun, options: FollowOptions): Promise<ChangeAnswer> {
  if (!('state' in answer)) return answer;
  const { changeId, changed, matched } = await follow(answer, options);
  return { matched, changed, changeId: changed === 0 ? null : changeId };
}

/** The same for an undo. */
export async function followUndo(answer: UndoAnswer | ChangeRun, options: FollowOptions): Promise<UndoAnswer> {
  if (!('state' in answer)) return answer;
  const { changeId, changed, matched } = await follow(answer, options);
  return { changed, skipped: matched - changed, changeId: changed === 0 ? null : changeId };
}

async function follow(
  started: ChangeRun,
  { read, onProgress }: FollowOptions,
): Promise<ChangeRun & { matched: number }> {
  let run = started;
  for (let wait = WAIT.first; run.state === 'running'; wait = Math.min(wait * 1.5, WAIT.most)) {
    onProgress?.(counted(run));
    await new Promise((resolve) => setTimeout(resolve, wait));
    run = await readPatiently(run, read);
  }
  if (run.state === 'done') return counted(run);
  const reason = run.problem?.detail ?? 'The server stopped before the change was complete.';
  const changed = count(run.changed, 'memory was', 'memories were');
  const sentence = `${changed} changed. Repeat the change for the others, or undo it: its id is ${run.changeId}.`;
  throw new IncompleteChangeError(`${reason} ${sentence}`, run);
}

/** Polls the change, and retries while there is no response: the server carries on with it in the meantime. */
async function readPatiently(run: ChangeRun, read: FollowOptions['read']): Promise<ChangeRun> {
  for (let tries = 1; ; tries++) {
    try {
      return await read(run.changeId);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (tries === MAX_TRIES)
        throw new IncompleteChangeError(
          `The server no longer responds, and the change may still be running. To undo it later, note that its id is ${run.changeId}.`,
          run,
        );
      await new Promise((resolve) => setTimeout(resolve, WAIT.most));
    }
  }
}

/** Whether the request got no response from the server, rather than an error. */
function isUnanswered(error: unknown): boolean {
  return error instanceof TypeError || ['TimeoutError', 'UnexpectedResponseError'].includes((error as Error).name);
}

const counted = (run: ChangeRun) => ({ ...run, matched: run.matched ?? run.changed });
