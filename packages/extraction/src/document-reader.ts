import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Article } from '@recollect/core';
import { createFairQueue, type QueueLimits } from './fair-queue.js';
import type { FromReader, ReaderJob, Request } from './messages.js';

export interface DocumentReaderOptions {
  /** Bytes by which the memory of the process may grow: a small file can be one of gigabytes, compressed. */
  memoryLimit: number;
  /** Milliseconds of idle time after which the process is ended to free its memory. */
  idleLimit: number;
  /** Documents that may wait to be read. */
  waiting: QueueLimits;
}

export interface ReadOptions<Content> {
  caller: string;
  /** Milliseconds of processor time that the document may take, from when it begins to be read. */
  timeLimit: number;
  /** Read instead if the document exceeds a limit. */
  fallback?: Content;
}

/** A process that reads documents. */
export interface DocumentReader<Content extends object> {
  /**
   * Reads a document. Callers with several of them take turns. Throws {@link ExceededError}, what the process says of a
   * document that it cannot read: a {@link DocumentProblem} with a sentence for the user, or else an error; and
   * QueueFullError.
   */
  read(content: Content, options: ReadOptions<Content>): Promise<Article>;
  close(): Promise<void>;
}

/** Why a document has no text that could be saved. The message is a sentence for the user. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

/** A document takes too much time or memory to read. */
export class ExceededError extends Error {
  override readonly name = 'ExceededError';
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super(`The document took too much ${limit} to read.`);
    this.limit = limit;
  }
}

const MODULE = fileURLToPath(new URL('./reader-process.js', import.meta.url));
/**
 * Milliseconds after which a process that waits for the processor is given up, and how many times the limit that is.
 */
const PATIENCE = { least: 60_000, factor: 20 };
/** Megabytes of the heap outside of the thread that reads. */
const HEAP = 256;

/**
 * Reads documents one at a time with the module of a worker thread, in a process, which starts with the first one. It
 * is ended when a document takes too long or too much memory, and when it is idle. It is not a thread of this process,
 * because V8 ends the whole process where a large allocation exceeds the heap of a thread. Must be closed.
 */
export function openDocumentReader<Content extends object>(
  thread: ReaderJob['thread'],
  { memoryLimit, idleLimit, waiting }: DocumentReaderOptions,
): DocumentReader<Content> {
  let child: ChildProcess | null = null;
  const inTurn = createFairQueue(waiting);
  let idle: NodeJS.Timeout | undefined;
  let nextId = 0;
  let isClosed = false;

  const start = () => {
    const job: ReaderJob = { thread, memoryLimit };
    const started = fork(MODULE, [JSON.stringify(job)], {
      execArgv: [`--max-old-space-size=${HEAP}`, '--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const forget = () => {
      if (child === started) child = null;
    };
    // The next document replaces a process that ends between two. An unhandled 'error' event would end this process.
    started.on('error', forget).on('exit', forget);
    return started;
  };

  const end = () => {
    const ending = child;
    child = null;
    ending?.kill('SIGKILL');
    ending?.removeAllListeners('message');
    return ending;
  };

  const readNow = (content: Content, timeLimit: number): Promise<Article> => {
    if (isClosed) return Promise.reject(new Error('The extractor is closed.'));
    clearTimeout(idle);
    child ??= start();
    const reader = child;
    const request: Request<Content> = { ...content, id: nextId++, timeLimit };
    return new Promise<Article>((resolve, reject) => {
      let patience: NodeJS.Timeout | undefined;
      const finish = (settle: () => void) => {
        clearTimeout(patience);
        reader.off('message', onMessage).off('error', onDeath).off('exit', onExit);
        if (!isClosed) idle = setTimeout(end, idleLimit).unref();
        setRef(reader, false);
        settle();
      };
      const exceed = (limit: 'time' | 'memory') => {
        finish(() => reject(new ExceededError(limit)));
        if (child === reader) end();
      };
      const onMessage = (message: FromReader) => {
        if (message.id !== request.id) return;
        if ('hasBegun' in message)
          patience = setTimeout(() => exceed('time'), Math.max(PATIENCE.least, PATIENCE.factor * timeLimit));
        else if ('exceeded' in message) exceed(message.exceeded);
        else if ('problem' in message) finish(() => reject(new DocumentProblem(message.problem)));
        else if ('error' in message) finish(() => reject(new Error(message.error)));
        else finish(() => resolve(message.article));
      };
      const onDeath = (error: Error) => finish(() => reject(error));
      // Nothing but its memory ends the process: other errors are messages.
      const onExit = () => {
        if (isClosed) finish(() => reject(new Error('The extractor is closed.')));
        else exceed('memory');
      };
      reader.on('message', onMessage).on('error', onDeath).on('exit', onExit);
      setRef(reader, true);
      // A process that has ended answers by its exit.
      reader.send(request, () => {});
    });
  };

  return {
    read: (content, { caller, timeLimit, fallback }) =>
      inTurn(caller, async () => {
        try {
          return await readNow(content, timeLimit);
        } catch (error) {
          if (!(error instanceof ExceededError) || fallback === undefined) throw error;
          return await readNow(fallback, timeLimit);
        }
      }),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      const ending = end();
      if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
      ending.ref();
      await new Promise<void>((resolve) => ending.once('exit', () => resolve()).once('error', () => resolve()));
    },
  };
}

/** An idle process does not keep this one running. */
function setRef(child: ChildProcess, isNeeded: boolean): void {
  if (isNeeded) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
