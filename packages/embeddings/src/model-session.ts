import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { EmbeddingPurpose } from '@recollect/core';
import type { Embedded, EmbedReply, EmbedRequest, ModelThreadOptions } from './model-messages.js';

/** How often the thread may die while it computes a text before that text fails. */
const TRIES = 2;

/** The model was not loaded. */
export class ModelLoadError extends Error {
  override readonly name = 'ModelLoadError';
}

/** A thread with the model, which computes one text at a time. It is started for the first text, and again after it has ended. */
export interface ModelSession {
  /** Whether it computes a text. */
  readonly isBusy: boolean;
  /** Whether the model is loaded, and has computed a text. */
  readonly isWarm: boolean;
  /** Computes a text, which is retried once if the thread dies. Must not be called while it is busy. Throws a {@link ModelLoadError}. */
  embed(text: string, purpose: EmbeddingPurpose): Promise<Embedded>;
  /** Ends the thread after its text, and frees its memory. A text that comes meanwhile is retried in a new thread. */
  end(): Promise<void>;
}

interface Job {
  request: EmbedRequest;
  tries: number;
  resolve(embedded: Embedded): void;
  reject(error: Error): void;
}

/** @param program the script of the thread, which exchanges the messages in model-messages.ts */
export function openSession(program: URL, options: ModelThreadOptions): ModelSession {
  let thread: Promise<Worker> | null = null;
  let job: Job | null = null;
  let nextId = 0;
  let isWarm = false;

  const start = () => {
    const worker = new Worker(program, { workerData: options });
    return new Promise<Worker>((resolve, reject) => {
      let isReady = false;
      let failure = new ModelLoadError('The thread of the embedding model ended.');
      worker.on('message', (message: 'ready' | EmbedReply) => {
        if (message !== 'ready') return settle(worker, message);
        isReady = true;
        // An idle model does not keep the process alive. A text that is being embedded does.
        worker.unref();
        resolve(worker);
      });
      worker.on('error', (error) => {
        failure = new ModelLoadError(error instanceof Error ? error.message : String(error), { cause: error });
      });
      worker.on('exit', () => {
        thread = null;
        isWarm = false;
        if (isReady) retry();
        else reject(failure);
      });
    });
  };

  /** Ends the job, and returns it. */
  const take = () => {
    const taken = job;
    job = null;
    return taken;
  };

  const settle = (worker: Worker, reply: EmbedReply) => {
    if (job?.request.id !== reply.id) return;
    worker.unref();
    if ('error' in reply) return take()?.reject(new Error(reply.error));
    isWarm = true;
    take()?.resolve(reply.embedded);
  };

  const retry = () => {
    if (job !== null && job.tries >= TRIES) take()?.reject(new Error('The embedding model crashed.'));
    else if (job !== null) send(job);
  };

  const send = ({ request }: Job) => {
    if (job !== null) job.tries += 1;
    thread ??= start();
    thread.then(
      (worker) => {
        worker.ref();
        worker.postMessage(request);
      },
      (error: Error) => take()?.reject(error),
    );
  };

  return {
    get isBusy() {
      return job !== null;
    },
    get isWarm() {
      return isWarm;
    },
    embed: (text, purpose) =>
      new Promise((resolve, reject) => {
        job = { request: { id: nextId++, text, purpose }, tries: 0, resolve, reject };
        send(job);
      }),
    async end() {
      const worker = await thread?.catch(() => null);
      if (!worker) return;
      // If the thread were terminated during a computation, the runtime would crash the whole process.
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
