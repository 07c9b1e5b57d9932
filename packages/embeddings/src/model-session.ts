import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ModelReply, ModelRequest } from './model-messages.js';

/** How often the thread may die while it computes an input before that input fails. */
const MAX_TRIES = 2;

/** The model was not loaded. */
export class ModelLoadError extends Error {
  override readonly name = 'ModelLoadError';
}

/**
 * A thread with a model, which computes one input at a time. It is started for the first input, and again after it has
 * ended.
 */
export interface ModelSession<Input, Output> {
  /** Whether it computes an input. */
  readonly isBusy: boolean;
  /** Whether the model is loaded, and has computed an input. */
  readonly isWarm: boolean;
  /**
   * Computes an input, which is retried once if the thread dies. Must not be called while it is busy. Throws a {@link
   * ModelLoadError}.
   */
  compute(input: Input): Promise<Output>;
  /**
   * Ends the thread after its input, and frees its memory. An input that comes meanwhile is retried in a new thread.
   */
  end(): Promise<void>;
}

interface Job<Input, Output> {
  request: ModelRequest<Input>;
  tries: number;
  resolve(output: Output): void;
  reject(error: Error): void;
}

/**
 * @param program the script of the thread, which answers with `answerRequests`
 * @param options of the thread
 */
export function openSession<Input, Output>(program: URL, options: object): ModelSession<Input, Output> {
  let thread: Promise<Worker> | null = null;
  let job: Job<Input, Output> | null = null;
  let nextId = 0;
  let isWarm = false;
  let isEnding = false;

  const start = () => {
    const worker = new Worker(program, { workerData: options });
    return new Promise<Worker>((resolve, reject) => {
      let isReady = false;
      let failure = new ModelLoadError('The thread of the model ended.');
      worker.on('message', (message: 'ready' | ModelReply<Output>) => {
        if (message !== 'ready') return settle(worker, message);
        isReady = true;
        // An idle model does not keep the process alive. An input that is being computed does.
        worker.unref();
        resolve(worker);
      });
      worker.on('error', (error) => {
        failure = new ModelLoadError(error instanceof Error ? error.message : String(error), { cause: error });
      });
      worker.on('exit', () => {
        thread = null;
        isWarm = false;
        isEnding = false;
        if (isReady) retry();
        else reject(failure);
      });
    });
  };

  /** Ends the job, and returns it. */
  const take = () => {
    const current = job;
    job = null;
    return current;
  };

  const settle = (worker: Worker, reply: ModelReply<Output>) => {
    if (job?.request.id !== reply.id) return;
    // A caller that ends the thread waits for its exit, so the process must stay alive.
    if (!isEnding) worker.unref();
    if ('error' in reply) return take()?.reject(new Error(reply.error));
    isWarm = true;
    take()?.resolve(reply.output);
  };

  const retry = () => {
    if (job !== null && job.tries >= MAX_TRIES) take()?.reject(new Error('The model crashed.'));
    else if (job !== null) send(job);
  };

  const send = ({ request }: Job<Input, Output>) => {
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
    compute: (input) =>
      new Promise((resolve, reject) => {
        job = { request: { id: nextId++, input }, tries: 0, resolve, reject };
        send(job);
      }),
    async end() {
      const worker = await thread?.catch(() => null);
      if (!worker) return;
      // If the thread were terminated during a computation, the runtime would crash the whole process.
      const ended = once(worker, 'exit');
      isEnding = true;
      worker.ref();
      worker.postMessage('close');
      await ended;
    },
  };
}
