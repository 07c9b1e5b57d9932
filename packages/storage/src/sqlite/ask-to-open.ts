import { once } from 'node:events';
import type { MessagePort, Worker } from 'node:worker_threads';

/**
 * A file can be replaced while a thread starts. So a thread asks just before it opens a file of a store, and its parent
 * then checks the file. Otherwise the thread could open another program's file, and leave a WAL beside it.
 */
const READY = 'ready';
const ANSWER = { open: 'open', end: 'end' };

/** Asks, within a thread, whether it may open its file. If not, the thread must end. */
export async function askToOpen(port: MessagePort): Promise<boolean> {
  port.postMessage(READY);
  const [answer] = await once(port, 'message');
  return answer === ANSWER.open;
}

/**
 * Waits for the question of a thread, and answers it. Returns the answer. Rejects if the thread fails or ends before it
 * asks. If `mayOpen` throws, the thread is told to end, and this rejects with that error.
 *
 * @param mayOpen looks at the file
 */
export async function answerToOpen(worker: Worker, mayOpen: () => boolean): Promise<boolean> {
  await firstMessage(worker);
  let isAllowed = false;
  try {
    isAllowed = mayOpen();
    return isAllowed;
  } finally {
    // A thread that is not answered never ends.
    worker.postMessage(isAllowed ? ANSWER.open : ANSWER.end);
  }
}

/** The next message of a thread. Rejects if it fails or ends without one. */
export async function firstMessage(worker: Worker): Promise<unknown> {
  const ended = new AbortController();
  const end = () => ended.abort();
  worker.once('exit', end);
  try {
    const [message] = await once(worker, 'message', { signal: ended.signal });
    return message;
  } catch (error) {
    // A thread that failed has its own error, and has ended as well.
    throw (error as Error).name === 'AbortError' ? new Error('The thread ended.') : error;
  } finally {
    worker.off('exit', end);
  }
}
