import type { MemoryClient, PluginContext } from '../context.js';
import { type FromChild, REQUESTS, type ToChild } from '../messages.js';

/** Sends the requests of one call to the host. */
export interface Channel {
  request(name: string, args: Record<string, unknown>): Promise<unknown>;
  /** Handles the host's answer to a request. */
  answer(message: Extract<ToChild, { type: 'answer' }>): void;
  /** Rejects new requests. Open requests never settle. */
  end(): void;
}

/** Counts across all calls, so that a late answer never matches a request of a later call. */
let count = 0;

/** Keeps only a few requests in flight and queues the others. */
export function createChannel(send: (message: FromChild) => void): Channel {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const waiting: (() => void)[] = [];
  let hasEnded = false;

  return {
    request(name, args) {
      return new Promise((resolve, reject) => {
        if (hasEnded) return reject(new Error('The call has ended. No more requests are possible.'));
        if (waiting.length >= REQUESTS.waiting)
          return reject(new Error('Too many requests at once. Await the answers.'));
        const ask = () => {
          count += 1;
          try {
            send({ type: 'request', id: count, name, args });
            pending.set(count, { resolve, reject });
          } catch {
            reject(new Error(`${name}: the arguments cannot be serialised as JSON.`));
          }
        };
        if (pending.size < REQUESTS.sent) ask();
        else waiting.push(ask);
      });
    },
    answer({ id, value, error }) {
      const question = pending.get(id);
      pending.delete(id);
      if (error === undefined) question?.resolve(value ?? null);
      else question?.reject(new Error(error));
      while (pending.size < REQUESTS.sent && waiting.length > 0) waiting.shift()?.();
    },
    end() {
      hasEnded = true;
      pending.clear();
      waiting.length = 0;
    },
  };
}

export function createContext(
  configuration: Record<string, unknown>,
  line: Channel,
  signal: AbortSignal,
  log: (line: string) => void,
): PluginContext {
  const ask = (name: string) => async (args: Record<string, unknown>) => line.request(name, args) as Promise<never>;
  const memory: MemoryClient = {
    search: (query, options) => ask('memory.search')({ ...options, query }),
    neighbours: (id, options) => ask('memory.neighbours')({ ...options, id }),
    frequencies: (words) => ask('memory.frequencies')({ words }),
    get: (id) => ask('memory.get')({ id }),
    list: (options) => ask('memory.list')({ ...options }),
    tags: (options) => ask('memory.tags')({ ...options }),
    addTags: (id, tags) => ask('memory.addTags')({ id, tags }),
    removeTags: (id, tags) => ask('memory.removeTags')({ id, tags }),
    annotate: (id, value) => ask('memory.annotate')({ id, value }),
    save: (saved) => ask('memory.save')({ ...saved }),
  };
  return {
    configuration,
    memory,
    state: {
      get: (key) => ask('state.get')({ key }),
      set: (key, value) => ask('state.set')({ key, value }),
      delete: (key) => ask('state.delete')({ key }),
      keys: (prefix) => ask('state.keys')({ prefix }),
    },
    logger: {
      info: (text) => log(String(text)),
      warn: (text) => log(`warning: ${text}`),
      error: (text) => log(`error: ${text}`),
    },
    signal,
  };
}
