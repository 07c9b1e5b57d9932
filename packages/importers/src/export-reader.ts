import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ExportPart, type ExportReader, RecollectError } from '@recollect/core';
import type { ExportJob, FromExportProcess } from './messages.js';

export interface ExportReaderOptions {
  /** Milliseconds that the process may take from one answer to the next. */
  timeLimit?: number;
  /** Megabytes of its heap. */
  memoryMb?: number;
}

/** Files that may end the process before the import is given up. */
const MAX_FAULTS = 20;

/**
 * Reads exports with all importers, in a process for each export: a file may be of any size, and made to
 * take very long. A file on which the process exceeds a limit is reported, and another one reads the files after it. It
 * is not a thread, because V8 ends the whole process where a large allocation exceeds the heap of a thread.
 */
export function createExportReader({ timeLimit = 60_000, memoryMb = 1_500 }: ExportReaderOptions = {}): ExportReader {
  return {
    // Loaded here: the importers are needed in the process only.
    async programs() {
      const [{ importers }, { DOCUMENTS, FILES }] = await Promise.all([import('./importers.js'), import('./files.js')]);
      return [...new Set([...importers.map(({ program }) => program), DOCUMENTS, FILES])];
    },
    async records(path, signal) {
      const { openRecords } = await import('./own-export.js');
      return openRecords(path, signal);
    },
    async *read(path, { name, signal, programs }) {
      // The system's error for a file that cannot be read comes from here.
      await (await open(path, 'r')).close();
      let done = 0;
      for (let faults = 0; ; faults++) {
        const reading = openProcess({ path, name, done, programs }, { timeLimit, memoryMb, signal });
        try {
          yield* reading.parts();
          return;
        } catch (error) {
          if (!(error instanceof ExceededError)) throw error;
          const file = reading.file() ?? name;
          yield { failed: file, reason: error.message };
          done = reading.number();
          if (faults === MAX_FAULTS || reading.file() === null) return;
        } finally {
          await reading.end();
        }
      }
    },
  };
}

/** A file takes too much time or memory. The message is a sentence for the user. */
class ExceededError extends Error {
  override readonly name = 'ExceededError';
}

const MODULE = fileURLToPath(new URL('./export-process.js', import.meta.url));

function openProcess(
  job: ExportJob,
  { timeLimit, memoryMb, signal }: Required<ExportReaderOptions> & { signal: AbortSignal | undefined },
) {
  const child = fork(MODULE, [JSON.stringify(job)], {
    execArgv: [`--max-old-space-size=${memoryMb}`, '--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit').catch(() => {});
  const received: FromExportProcess[] = [];
  let failure: Error | null = null;
  let wake = () => {};
  let begun: { file: string; number: number } | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  const abort = () => fail(signal?.reason);
  child.on('message', (message: FromExportProcess) => {
    if ('begins' in message) begun = { file: message.begins, number: message.number };
    else received.push(message);
    wake();
  });
  child.on('error', fail);
  // Nothing but the memory ends it: other errors are messages.
  child.on('exit', () => fail(new ExceededError('It takes too much memory to read.')));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();

  /** The next message, after asking for it. */
  const next = async (): Promise<FromExportProcess> => {
    // A process that has ended answers by its exit.
    if (child.connected) child.send('more', () => {});
    const limit = setTimeout(
      () => fail(new ExceededError(`It takes longer than ${timeLimit / 1_000} seconds to read.`)),
      timeLimit,
    );
    try {
      for (;;) {
        const message = received.shift();
        if (message !== undefined) return message;
        if (failure !== null) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearTimeout(limit);
    }
  };

  return {
    file: () => begun?.file ?? null,
    number: () => begun?.number ?? 0,
    async *parts(): AsyncGenerator<ExportPart> {
      for (;;) {
        const message = await next();
        if ('parts' in message) yield* message.parts;
        else if ('isDone' in message) return;
        else if ('isUnreadable' in message) {
          const { isUnreadable, code, reason } = message;
          if (!isUnreadable) throw Object.assign(new Error(reason), { code });
          const sentence =
            'The archive is damaged or incomplete. What could be read of it is imported. Get the export again.';
          throw new RecollectError('EXPORT_UNREADABLE', sentence, { cause: new Error(reason) });
        }
      }
    },
    async end() {
      signal?.removeEventListener('abort', abort);
      child.kill('SIGKILL');
      await exited;
    },
  };
}
