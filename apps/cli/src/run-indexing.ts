import type { ReindexAnswer } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import type { Recollect } from './compose.js';
import { showProgress } from './terminal/progress.js';

export interface IndexingSummary extends Omit<ReindexAnswer, 'job'> {
  /** Over all batches. */
  processed: number;
}

/** Embeds batch after batch until nothing is left to do or nothing more can be done, with a bar. */
export async function runIndexing(
  { core, embeddingModel }: Recollect,
  options: { isQuiet: boolean; batchSize?: number; signal?: AbortSignal },
): Promise<IndexingSummary> {
  const { indexing } = core;
  const { withoutEmbeddings: whole } = await indexing.state(LOCAL_USER);
  const bar = showProgress(whole, options.isQuiet);
  let processed = 0;
  for (;;) {
    // Small batches move the bar; a memory of many chunks takes several.
    const answer = await indexing.reindex(LOCAL_USER, {
      batchSize: options.batchSize ?? 8,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    processed += answer.processed;
    const { status, message, remaining } = answer;
    bar.update(whole - remaining, `${remaining} left`);
    if (status !== 'pending' || embeddingModel === null || options.signal?.aborted) {
      bar.stop(message);
      return { processed, remaining, status, message };
    }
  }
}
