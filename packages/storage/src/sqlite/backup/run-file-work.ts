import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { answerToOpen, firstMessage } from '../ask-to-open.js';
import type { Comparison } from './compare-files.js';
import type { CheckedFile, FileResult, FileWork } from './file-work.js';

type Work = FileWork extends infer W ? (W extends FileWork ? Omit<W, 'stopping'> : never) : never;

/**
 * Copies, checks or compares a file in a separate thread with a low priority.
 *
 * @param mayOpen called just before the file is opened; if it says no, the outcome is `gone`
 */
export async function runFileWork<Kind extends Work['kind']>(
  work: Extract<Work, { kind: Kind }>,
  signal: AbortSignal | undefined,
  mayOpen = () => true,
): Promise<FileResult<Kind extends 'compare' ? Comparison : CheckedFile>> {
  const stopping = new Int32Array(new SharedArrayBuffer(4));
  const stop = () => {
    Atomics.store(stopping, 0, 1);
  };
  if (signal?.aborted) return { outcome: 'stopped' };
  signal?.addEventListener('abort', stop);
  try {
    const worker = new Worker(new URL('../../bundle/file-thread.cjs', import.meta.url), {
      workerData: { ...work, stopping },
    });
    const exited = once(worker, 'exit');
    exited.catch(() => {});
    await answerToOpen(worker, mayOpen);
    const result = (await firstMessage(worker)) as FileResult<Kind extends 'compare' ? Comparison : CheckedFile>;
    await exited;
    return result;
  } catch (error) {
    const { message, code = 'ERROR' } = error as Error & { code?: string };
    return { outcome: 'failed', message, code };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
