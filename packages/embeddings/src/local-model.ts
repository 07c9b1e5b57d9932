import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { EmbeddingModel, EmbedOptions } from '@recollect/core';
import { checkVectors } from './check-vectors.js';
import type { EmbedReply, EmbedRequest, ModelThreadOptions } from './model-messages.js';
import { silenceTelemetry } from './silence-telemetry.js';

export interface LocalModelOptions {
  /** Changes with the model's vectors. */
  id: string;
  /** A folder as transformers.js reads it: config.json, tokenizer.json, onnx/model_quantized.onnx. */
  folder: string;
  /** Threads of one computation; all processors when missing. */
  threads?: number;
  /** The program of the worker thread, which speaks the messages of model-messages. */
  program?: URL;
}

export interface LocalModel extends EmbeddingModel {
  /** Loads the model before its first text does. Throws when it cannot be loaded. */
  warmUp(): Promise<void>;
}

interface Waiting {
  text: string;
  purpose: EmbedOptions['purpose'];
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

/** How often a text may be with the thread when it dies before the text is blamed. */
const TRIES = 2;

/**
 * A model in a worker thread, so that it never holds up the event loop. It gets one text at a time: measured faster
 * than batches padded to their longest text, and a text's vector then depends on nothing but the text. Queries go before
 * documents. A thread that dies is replaced, and the text it was at is tried once more. Must be closed.
 */
export function openLocalModel({
  id,
  folder,
  threads = availableParallelism(),
  program = new URL('./model-thread.js', import.meta.url),
}: LocalModelOptions): LocalModel {
  const queue: Record<EmbedOptions['purpose'], Waiting[]> = { query: [], document: [] };
  let thread: Promise<Worker> | null = null;
  let current: { request: EmbedRequest; waiting: Waiting; tries: number } | null = null;
  let nextId = 0;
  let closed = false;

  silenceTelemetry();

  const start = () => {
    const workerData: ModelThreadOptions = { folder, threads };
    const worker = new Worker(program, { workerData });
    // An open model does not keep a process alive that has nothing else to do; a text at work does.
    return new Promise<Worker>((resolve, reject) => {
      let isReady = false;
      let failure = new Error('The thread of the embedding model ended.');
      worker.on('message', (message: 'ready' | EmbedReply) => {
        if (message !== 'ready') return settle(message);
        isReady = true;
        worker.unref();
        resolve(worker);
      });
      worker.on('error', (error) => {
        failure = error instanceof Error ? error : new Error(String(error));
      });
      worker.on('exit', () => {
        thread = null;
        if (isReady) retry();
        else reject(failure);
      });
    });
  };

  const ready = () => {
    thread ??= start();
    return thread;
  };

  const settle = (reply: EmbedReply) => {
    if (current?.request.id !== reply.id) return;
    const { waiting } = current;
    current = null;
    if ('error' in reply) waiting.reject(new Error(reply.error));
    else waiting.resolve(reply.vector);
    next();
  };

  /** After the thread has died with a text: once more with a new thread, then the text is given up. */
  const retry = () => {
    if (current === null) return;
    if (closed || current.tries >= TRIES) {
      const { waiting } = current;
      current = null;
      waiting.reject(new Error('The embedding model crashed.'));
      next();
    } else send(current);
  };

  const send = (job: NonNullable<typeof current>) => {
    job.tries += 1;
    ready().then(
      (worker) => {
        worker.ref();
        worker.postMessage(job.request);
      },
      (error: Error) => {
        // The model does not load: every waiting text fails with the reason, and a later one tries anew.
        current = null;
        for (const waiting of [job.waiting, ...queue.query.splice(0), ...queue.document.splice(0)])
          waiting.reject(error);
      },
    );
  };

  const next = () => {
    if (current !== null) return;
    const waiting = queue.query.shift() ?? queue.document.shift();
    if (waiting === undefined) {
      thread?.then((worker) => worker.unref()).catch(() => {});
      return;
    }
    current = { request: { id: nextId++, text: waiting.text }, waiting, tries: 0 };
    send(current);
  };

  const embedOne = (text: string, { purpose, signal }: EmbedOptions) =>
    new Promise<Float32Array>((resolve, reject) => {
      if (closed) return reject(new Error('The embedding model is closed.'));
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        const line = queue[purpose];
        const at = line.indexOf(waiting);
        if (at >= 0) line.splice(at, 1);
        waiting.reject(signal?.reason);
      };
      // The signal may outlive the text by far, so its listener goes with the text.
      const settled = () => signal?.removeEventListener('abort', onAbort);
      const waiting: Waiting = {
        text,
        purpose,
        resolve(vector) {
          settled();
          resolve(vector);
        },
        reject(error) {
          settled();
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort);
      queue[purpose].push(waiting);
      next();
    });

  return {
    id,
    async embed(texts, options) {
      const vectors = await Promise.all(texts.map((text) => embedOne(text, options)));
      return checkVectors(vectors, texts.length, null);
    },
    async warmUp() {
      await embedOne('warm up', { purpose: 'query' });
    },
    async close() {
      closed = true;
      for (const waiting of [...queue.query.splice(0), ...queue.document.splice(0)]) {
        waiting.reject(new Error('The embedding model is closed.'));
      }
      const worker = await thread?.catch(() => null);
      if (!worker) return;
      // Ended from outside in the middle of a computation, the runtime takes the whole process with it.
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
