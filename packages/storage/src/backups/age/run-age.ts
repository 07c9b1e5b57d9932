import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Encrypts or decrypts a file in a thread: deriving the key from the passphrase takes about a second. */
export async function runAge(work: AgeWork, signal?: AbortSignal): Promise<AgeResult> {
  const stopped: AgeResult = { outcome: 'failed', message: 'It was stopped', code: 'ABORT_ERR' };
  if (signal?.aborted) return stopped;
  let worker: Worker | undefined;
  const stop = () => {
    worker?.terminate();
  };
  try {
    worker = new Worker(new URL('./age-thread.js', import.meta.url), { workerData: work });
    signal?.addEventListener('abort', stop);
    const [result] = (await Promise.race([once(worker, 'message'), once(worker, 'exit').then(() => [stopped])])) as [
      AgeResult,
    ];
    return result;
  } catch (error) {
    const { message, code = 'ERROR' } = error as Error & { code?: string };
    return { outcome: 'failed', message, code };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The thread's work on a file. `target` must not exist. */
export interface AgeWork {
  direction: 'encrypt' | 'decrypt';
  source: string;
  /** Null: the result is only hashed. */
  target: string | null;
  passphrase: string;
  /** Whether captures and queries come first, as they do for a backup. A restore does not give way. */
  isBackground: boolean;
}

export type AgeResult =
  | { outcome: 'done'; bytes: number; sha256: string }
  | { outcome: 'wrong-passphrase' | 'damaged' }
  | { outcome: 'failed'; message: string; code: string };
