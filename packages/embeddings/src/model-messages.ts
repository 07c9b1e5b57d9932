import { parentPort } from 'node:worker_threads';
import type { EmbeddingPurpose } from '@recollect/core';
import type { ModelRecipe, RerankerRecipe } from './model-recipe.js';

/** A request of a session to its thread. */
export interface ModelRequest<Input> {
  id: number;
  input: Input;
}

export type ModelReply<Output> = { id: number; output: Output } | { id: number; error: string };

/** The options of the thread of an embedding model. */
export interface ModelThreadOptions {
  folder: string;
  recipe: Pick<ModelRecipe, 'maxTokens' | 'prefixes' | 'pooling' | 'isNormalised'>;
  /** Whether replies have token vectors. */
  givesTokens: boolean;
  isBackground: boolean;
}

export interface TextToEmbed {
  text: string;
  /** Selects the prefix. */
  purpose: EmbeddingPurpose;
}

export interface Embedded {
  vector: Float32Array<ArrayBuffer>;
  /** Of a query: its token vectors. Empty if they are not given. */
  tokens: Float32Array<ArrayBuffer>;
  /** Of a document: the signs of its token vectors. Empty if they are not given. */
  signs: Uint8Array<ArrayBuffer>;
}

/** The options of the thread of a reranker. */
export interface RerankerThreadOptions {
  folder: string;
  recipe: Pick<RerankerRecipe, 'maxTokens'>;
}

export interface Pair {
  query: string;
  passage: string;
}

/** The computation of a thread with a model. */
interface Computation<Input, Output> {
  compute(input: Input): Promise<Output>;
  /** Buffers of an output that are moved to the other thread, and not copied. */
  moves?(output: Output): ArrayBuffer[];
  /** Frees the model. */
  dispose(): Promise<unknown>;
}

/** Answers the requests of a session (`openSession`) in this worker thread, until the session ends it. */
export function answerRequests<Input, Output>({ compute, moves, dispose }: Computation<Input, Output>): void {
  if (parentPort === null) throw new Error('This file runs as a worker thread.');
  const port = parentPort;

  const answer = async ({ id, input }: ModelRequest<Input>): Promise<void> => {
    try {
      const output = await compute(input);
      const reply: ModelReply<Output> = { id, output };
      port.postMessage(reply, moves?.(output) ?? []);
    } catch (error) {
      const reply: ModelReply<Output> = { id, error: error instanceof Error ? error.message : String(error) };
      port.postMessage(reply);
    }
  };

  let work = Promise.resolve();
  let isClosing = false;
  port.on('message', (message: ModelRequest<Input> | 'close') => {
    // The session sends requests that arrive after its end to another thread.
    if (isClosing) return;
    isClosing = message === 'close';
    if (message !== 'close') work = answer(message);
    else void work.then(dispose).then(() => port.close());
  });
  port.postMessage('ready');
}
