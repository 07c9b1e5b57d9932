import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { EmbeddingModel, EmbedOptions } from '@recollect/core';
import { checkVectors } from './check-vectors.js';
import type { EmbedReply, EmbedRequest, ModelThreadOptions } from './model-messages.js';
import type { ModelRecipe } from './model-recipe.js';
import { silenceTelemetry } from './silence-telemetry.js';
import { createTokenCounter } from './token-counter.js';

export interface LocalModelOptions {
  /** Changes whenever the model's vectors change. */
  id: string;
  /** A folder as transformers.js reads it: config.json, tokenizer.json, onnx/model_quantized.onnx. */
  folder: string;
  recipe: ModelRecipe;
  /** Threads of one computation; all processors by default. */
  threads?: number | undefined;
  /** The script of the worker thread, which exchanges the messages in model-messages.ts. */
  program?: URL | undefined;
}

export interface LocalModel extends EmbeddingModel {
  /** Loads the model ahead of its first text. Throws if it cannot be loaded. */
  warmUp(): Promise<void>;
}

interface Waiting {
  text: string;
  purpose: EmbedOptions['purpose'];
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

/** How often the thread may die while embedding a text before that text fails. */
const TRIES = 2;

/**
 * Opens a model in a worker thread, so that it never blocks the event loop. The thread gets one text at a time: that measured
 * faster than batches padded to their longest text, and a text's vector then depends only on the text. Queries go before
 * documents. A thread that dies is replaced, and its text is retried once. The caller must close the model.
 *
 * @example
 * const model = openLocalModel(minilm);
 * const [vector] = await model.embed(['how hot for tea'], { purpose: 'query' });
 * await model.close();
 */
export function openLocalModel({
  id,
  folder,
  recipe,
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
    const { prefixes, pooling, isNormalised } = recipe;
    const workerData: ModelThreadOptions = { folder, recipe: { prefixes, pooling, isNormalised }, threads };
    const worker = new Worker(program, { workerData });
    // An idle model does not keep the process alive. A text that is being embedded does.
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

  /** Retries a text whose thread died in a new thread, then lets it fail. */
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
        // The model did not load: all waiting texts fail with the reason, and a later text tries again.
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
    current = { request: { id: nextId++, text: waiting.text, purpose: waiting.purpose }, waiting, tries: 0 };
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
      // The signal may live much longer than the text, so its listener is removed with the text.
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
    profile: { ...recipe, countTokens: createTokenCounter(folder) },
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
      // If the thread were terminated during a computation, the runtime would crash the whole process.
      const ended = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
