import type { ExportItem, ExportRecord, SearchTest } from '@recollect/contract';
import type { Core } from './create-core.js';
import { RecollectError } from './error.js';

/** The result of the search test on a copy of part of a store. */
export interface ModelTrial {
  result: SearchTest;
  /** How many memories were copied. */
  memories: number;
  /** Passages that were embedded, and how many of them a second. */
  embedded: number;
  perSecond: number;
}

export interface TrialOptions {
  /** Memories to copy, spread evenly over the store. */
  most: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((embedded: number, of: number) => void) | undefined;
}

/**
 * Tests search with another model (QRY-18) on a copy of part of the store, so that the store keeps its embeddings.
 * Tests of the same store ask the same questions of the same memories with every model.
 *
 * @param trial an empty store with the model. It holds the copy afterwards.
 * @example
 * const trial = createCore({ ...(await openStorage({ url: 'sqlite::memory:' })), embeddingModel });
 * const { result } = await tryModel(core, 'local', trial, { most: 300 });
 */
export async function tryModel(
  { records, indexing }: Pick<Core, 'records' | 'indexing'>,
  userId: string,
  trial: Pick<Core, 'records' | 'indexing' | 'searchTest'>,
  { most, signal, onProgress }: TrialOptions,
): Promise<ModelTrial> {
  const { total } = await indexing.state(userId);
  const { created } = await trial.records.import(userId, spread(records.export(userId), total, most), { signal });
  const missing = await trial.indexing.countMissingChunks(userId);
  const startedAt = performance.now();
  let embedded = 0;
  const count = (chunks: number) => {
    embedded += chunks;
    onProgress?.(embedded, missing);
  };
  // A model may reject a passage, so that fewer are embedded than were missing.
  let isDone = missing === 0;
  while (!isDone) {
    signal?.throwIfAborted();
    const { status, message } = await trial.indexing.reindex(userId, { signal, onProgress: count });
    if (status !== 'pending' && status !== 'completed') throw new RecollectError('EMBEDDING_FAILED', message);
    isDone = status === 'completed';
  }
  const seconds = Math.max(performance.now() - startedAt, 1) / 1_000;
  const result = await trial.searchTest(userId, { signal });
  return { result, memories: created, embedded, perSecond: embedded / seconds };
}

/** Evenly spread ones of the memories that are not in the trash. */
async function* spread(records: AsyncIterable<ExportRecord>, total: number, most: number): AsyncGenerator<ExportItem> {
  let [live, taken] = [0, 0];
  for await (const record of records) {
    if (record.deletedAt != null) continue;
    live += 1;
    // The first of each equal part.
    if ((live - 1) * Math.min(most, total) < taken * total) continue;
    taken += 1;
    yield { kind: 'record', line: live, length: record.text.length, record };
  }
}
