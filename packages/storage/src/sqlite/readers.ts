import type { Connection, StatementRunner } from './connection.js';
import { openLookup } from './local-connection.js';
import type { ConnectionOptions } from './messages.js';
import { openConnection } from './open-connection.js';
import { createPool, type Pool } from './pool.js';
import type { TextMemory } from './texts/text-memory.js';
import type { VectorMemory } from './vectors/vector-memory.js';

/** The connections of a store that only read. */
export interface Readers {
  /** Open from the start. */
  first: StatementRunner;
  /** On the calling thread, for a row or two. */
  lookup: StatementRunner;
  /** Opens another one. Null if there are enough, or if it cannot be opened now. Never rejects. */
  openAnother(): Promise<StatementRunner | null>;
  /** Waits for a connection that is being opened, and closes all, including the lookup. */
  close(): Promise<void>;
}

export interface ReaderOptions extends Omit<ConnectionOptions, 'readonly' | 'vectors' | 'texts'> {
  /** How many there may be, each in its own thread; 0 for one on the calling thread. */
  threads: number;
  /** The vectors that they search. */
  vectors?: VectorMemory | null;
  /** The texts that they search. */
  texts?: TextMemory | null;
  /** Whether the path still has the file that was opened first. */
  isInPlace?: () => boolean;
}

/**
 * Opens the first reader of a store. A thread and its connection take 55 ms of a processor and 15 MB, so the others are
 * opened when they are wanted.
 */
export async function openReaders(options: ReaderOptions): Promise<Readers> {
  const { threads, vectors = null, texts = null, isInPlace = () => true, ...connection } = options;
  const open = (lane: number, mayOpen = () => true) =>
    openConnection(
      {
        ...connection,
        readonly: true,
        ...(vectors === null ? {} : { vectors: { memory: vectors, lane } }),
        ...(texts === null ? {} : { texts: { memory: texts, lane } }),
      },
      threads > 0,
      mayOpen,
    );
  const first = await open(0);
  const lookup = await openOrClose(first, () => openLookup(options.path, options));
  const others: StatementRunner[] = [];
  let opening: Promise<StatementRunner | null> = Promise.resolve(null);
  let isClosed = false;

  const openNext = async () => {
    // No thread is started for a store that is gone: each read would start another one.
    if (isClosed || 1 + others.length >= threads || !isInPlace()) return null;
    const reader = await open(1 + others.length, isInPlace);
    if (isInPlace()) {
      others.push(reader);
      return reader;
    }
    // It may have opened another file that has replaced the store.
    await reader.close();
    return null;
  };

  return {
    first,
    lookup,
    openAnother() {
      opening = opening.then(openNext).catch(() => null);
      return opening;
    },
    async close() {
      isClosed = true;
      await opening;
      await Promise.all([first, lookup, ...others].map((reader) => reader.close()));
    },
  };
}

/** The readers in turns, as many as are wanted. The lookup is not among them. */
export function createReaderPool(readers: Readers, toConnection: (reader: StatementRunner) => Connection): Pool {
  return createPool([toConnection(readers.first)], async () => {
    const another = await readers.openAnother();
    return another === null ? null : toConnection(another);
  });
}

async function openOrClose(first: StatementRunner, open: () => StatementRunner): Promise<StatementRunner> {
  try {
    return open();
  } catch (error) {
    await first.close();
    throw error;
  }
}
