import { Worker } from 'node:worker_threads';
import type { Article } from '@recollect/core';
import { createFairQueue } from './fair-queue.js';
import type { Reply, Request } from './messages.js';

export interface ReaderThreadOptions {
  /** Milliseconds that one document may take before the thread is terminated, from when it begins to read it. */
  timeLimit: number;
  /** Bytes by which the memory of the process may grow meanwhile: a small file can be one of gigabytes, compressed. */
  memoryLimit: number;
  /** Milliseconds of idle time after which the thread is terminated to free its memory. */
  idleLimit: number;
}

/** Milliseconds between two looks at the memory. */
const LOOK_EVERY = 100;

/** A worker thread that reads documents. */
export interface ReaderThread<Content extends object> {
  /**
   * Reads a document. Callers with several of them take turns. Throws a TimeoutError when it takes longer than the limit, {@link ExcessError}
   * when it takes too much memory, and what the thread
   * says of a document that it cannot read: a {@link DocumentProblem} with a sentence for the user, or else an error.
   */
  read(content: Content, caller: string): Promise<Article>;
  close(): Promise<void>;
}

/** Why a document has no text that could be saved. The message is a sentence for the user. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

/** A document that takes too much memory to read. */
export class ExcessError extends Error {
  override readonly name = 'ExcessError';
}

/**
 * Reads documents one at a time in a worker thread. The thread starts with the first one, and is terminated when a document takes too
 * long or too much memory, and when it is idle. Must be closed.
 */
export function openReaderThread<Content extends object>(
  module: URL,
  { timeLimit, memoryLimit, idleLimit }: ReaderThreadOptions,
): ReaderThread<Content> {
  let worker: Worker | null = null;
  const inTurn = createFairQueue();
  let idle: NodeJS.Timeout | undefined;
  let nextId = 0;
  let isClosed = false;

  const start = () => {
    const started = new Worker(module);
    // The next document replaces a thread that dies between two. An unhandled 'error' event would end the process.
    started.on('error', () => {
      if (worker === started) worker = null;
    });
    return started;
  };

  const end = async () => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };

  const readNow = async (content: Content): Promise<Article> => {
    if (isClosed) throw new Error('The extractor is closed.');
    clearTimeout(idle);
    worker ??= start();
    const thread = worker;
    const request: Request<Content> = { id: nextId++, ...content };
    return new Promise<Article>((resolve, reject) => {
      let limit: NodeJS.Timeout | undefined;
      let look: NodeJS.Timeout | undefined;
      const finish = (settle: () => void) => {
        clearTimeout(limit);
        clearInterval(look);
        thread.off('message', onReply).off('error', onDeath).off('exit', onDeath);
        if (!isClosed) idle = setTimeout(end, idleLimit).unref();
        thread.unref();
        settle();
      };
      const onReply = (reply: Reply) => {
        if (reply.id !== request.id) return;
        if ('hasBegun' in reply) {
          limit = setTimeout(onTimeout, timeLimit);
          const before = process.memoryUsage.rss();
          look = setInterval(() => {
            if (process.memoryUsage.rss() > before + memoryLimit) onExcess();
          }, LOOK_EVERY);
        } else if ('problem' in reply) finish(() => reject(new DocumentProblem(reply.problem)));
        else if ('error' in reply) finish(() => reject(new Error(reply.error)));
        else finish(() => resolve(reply.article));
      };
      const onDeath = (reason: unknown) => {
        if (worker === thread) worker = null;
        finish(() => reject(reason instanceof Error ? reason : new Error('The extraction thread ended.')));
      };
      const onTimeout = () => {
        finish(() => reject(new DOMException(`It took longer than ${timeLimit} ms.`, 'TimeoutError')));
        void end();
      };
      const onExcess = () => {
        finish(() => reject(new ExcessError(`The process grew by over ${memoryLimit} bytes.`)));
        void end();
      };
      thread.on('message', onReply).on('error', onDeath).on('exit', onDeath);
      thread.ref();
      thread.postMessage(request);
    });
  };

  return {
    read: (content, caller) => inTurn(caller, () => readNow(content)),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
