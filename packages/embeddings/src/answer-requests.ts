import { parentPort } from 'node:worker_threads';
import type { ModelReply, ModelRequest } from './model-messages.js';

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
