import { createCore, LOCAL_USER, RecollectError } from '@recollect/core';
import { openStorage, StoreRefusedError } from '@recollect/storage';
import type { Texts } from './make-store.js';
import type { Outcome } from './outcome.js';

/** The worst of several outcomes counts, unless the damage was named. */
const ORDER: readonly Outcome[] = ['refused', 'reported', 'warned', 'failed', 'wrong', 'unnoticed'];

/** Opens a damaged store and uses all of it: reads, searches, lists and writes. Returns what happened. */
export async function useStore(file: string, texts: Texts): Promise<Outcome> {
  const seen = new Set<Outcome>();
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      seen.add(outcomeOf(error));
      return null;
    }
  };

  const storage = await attempt(() => openStorage({ url: `sqlite:${file}` }));
  if (storage !== null) {
    const core = createCore(storage);
    for (const [id, text] of Object.entries(texts)) {
      const memory = await attempt(() => core.memories.get(LOCAL_USER, id));
      if (memory === null) continue;
      if ('warning' in memory && memory.warning) seen.add('warned');
      else if (memory.text !== text) seen.add('wrong');
    }
    await attempt(() => core.memories.list(LOCAL_USER, { limit: 100 }));
    await attempt(() => core.query(LOCAL_USER, 'water degrees'));
    await attempt(() => core.status(LOCAL_USER));
    await attempt(() => core.capture(LOCAL_USER, [{ pageText: 'one more' }]));
    await attempt(() => storage.check());
    await attempt(() => storage.close());
  }
  return ORDER.find((outcome) => seen.has(outcome)) ?? 'unnoticed';
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof StoreRefusedError) return 'refused';
  if (!(error instanceof RecollectError)) return 'failed';
  // A memory that is not found any more has been lost without a word.
  if (error.code === 'NOT_FOUND') return 'wrong';
  return ['STORE_DAMAGED', 'STORE_HALTED', 'UNAVAILABLE'].includes(error.code) ? 'reported' : 'failed';
}
