import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { explain, isNotFound } from '../api/client.js';

/** Reads a value; may continue the value read before. */
export type Read<T> = (before: T | null) => Promise<T>;

/** Something that the server has, as the app knows it. */
export interface Resource<T> {
  /** The latest value, with pending changes. Null before the first answer. A failure keeps it. */
  value: ReadonlySignal<T | null>;
  /** Why it could not be read. Empty if it could. */
  problem: ReadonlySignal<string>;
  /** Whether the server has no such thing. */
  isGone: ReadonlySignal<boolean>;
  /**
   * Reads it again, after a read in progress. Waiting calls share one read. An answer that is older than a change is
   * dropped and read again. Never rejects: a failure is the `problem`.
   */
  load: (read?: Read<T>) => Promise<void>;
  /**
   * Shows a change while it is sent. `send` resolves to the value after it.
   * If it rejects, the former value is shown again.
   */
  change: <A extends T>(show: (value: T) => T, send: () => Promise<A>) => Promise<A>;
}

/**
 * The one place that knows about outdated answers and failures: everything that is read from the server is a resource.
 *
 * @example
 * const tags = createResource(() => client('listTags', {}));
 * await tags.load();
 * tags.value.value; // { tags: [...] }
 */
export function createResource<T>(readValue: Read<T>): Resource<T> {
  const stored = signal<T | null>(null);
  const error = signal<unknown>(null);
  const sending = signal<readonly ((value: T) => T)[]>([]);
  /** The changes that were sent so far. */
  let changes = 0;
  let last: { read: Read<T>; hasBegun: boolean; done: Promise<void> } | null = null;

  const run = async (read: Read<T>) => {
    try {
      let answer: T;
      let changesBefore: number;
      do {
        changesBefore = changes;
        answer = await read(stored.peek());
      } while (changesBefore !== changes);
      batch(() => {
        stored.value = answer;
        error.value = null;
      });
    } catch (caught) {
      error.value = caught;
    }
  };

  return {
    value: computed(() =>
      stored.value === null ? null : sending.value.reduce((value, show) => show(value), stored.value as T),
    ),
    problem: computed(() => (error.value === null ? '' : explain(error.value))),
    isGone: computed(() => isNotFound(error.value)),
    load(read = readValue) {
      if (last !== null && !last.hasBegun && last.read === read) return last.done;
      const before = last?.done;
      const next = { read, hasBegun: false, done: Promise.resolve() };
      next.done = Promise.resolve(before).then(() => {
        next.hasBegun = true;
        return run(read);
      });
      last = next;
      return next.done;
    },
    async change(show, send) {
      const end = () => {
        changes += 1;
        sending.value = sending.peek().filter((one) => one !== show);
      };
      sending.value = [...sending.peek(), show];
      try {
        const answer = await send();
        batch(() => {
          stored.value = answer;
          end();
        });
        return answer;
      } catch (caught) {
        end();
        throw caught;
      }
    },
  };
}
