import { Worker } from 'node:worker_threads';
import type { Article, ArticleExtractor } from '@recollect/core';
import type { ExtractReply, ExtractRequest } from './messages.js';

export interface ArticleExtractorOptions {
  /** Milliseconds that one page may take before the thread is terminated, from when it begins to read the page. */
  timeLimit?: number;
  /** Milliseconds of idle time after which the thread is terminated to free its memory. */
  idleLimit?: number;
}

/**
 * Reads pages one at a time in a worker thread. The thread starts with the first page, and is terminated when a page
 * takes too long or when it is idle. Must be closed.
 */
export function openArticleExtractor({
  timeLimit = 5_000,
  idleLimit = 60_000,
}: ArticleExtractorOptions = {}): ArticleExtractor {
  let worker: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let nextId = 0;
  let isClosed = false;

  const start = () => {
    const started = new Worker(new URL('./extraction-thread.js', import.meta.url));
    // The next page replaces a thread that dies between two pages. An unhandled 'error' event would end the process.
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

  const extractNow = async (html: string, url: string | null): Promise<Article> => {
    if (isClosed) throw new Error('The extractor is closed.');
    clearTimeout(idle);
    worker ??= start();
    const thread = worker;
    const request: ExtractRequest = { id: nextId++, html, url };
    return new Promise<Article>((resolve, reject) => {
      let limit: NodeJS.Timeout | undefined;
      const finish = (settle: () => void) => {
        clearTimeout(limit);
        thread.off('message', onReply).off('error', onDeath).off('exit', onDeath);
        if (!isClosed) idle = setTimeout(end, idleLimit).unref();
        thread.unref();
        settle();
      };
      const onReply = (reply: ExtractReply) => {
        if (reply.id !== request.id) return;
        if ('hasBegun' in reply) {
          limit = setTimeout(onTimeout, timeLimit);
          return;
        }
        finish(() => ('error' in reply ? reject(new Error(reply.error)) : resolve(reply.article)));
      };
      const onDeath = (reason: unknown) => {
        if (worker === thread) worker = null;
        finish(() => reject(reason instanceof Error ? reason : new Error('The extraction thread ended.')));
      };
      const onTimeout = () => {
        finish(() => reject(new DOMException(`The page took longer than ${timeLimit} ms.`, 'TimeoutError')));
        void end();
      };
      thread.on('message', onReply).on('error', onDeath).on('exit', onDeath);
      thread.ref();
      thread.postMessage(request);
    });
  };

  return {
    extract(html, url) {
      const result = turn.then(() => extractNow(html, url));
      turn = result.catch(() => {});
      return result;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
