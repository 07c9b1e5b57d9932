import type { ReindexAnswer } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { NO_MODEL_ADVICE } from './commands/advice.js';
import type { Recollect } from './compose.js';
import { describeSpeed } from './terminal/describe-speed.js';
import { print } from './terminal/output.js';
import { showProgress } from './terminal/progress.js';

export interface IndexingSummary extends Omit<ReindexAnswer, 'job'> {
  /** Over all batches. */
  processed: number;
}

/** Embeds batches, with a progress bar, until nothing is left or no further progress is possible. */
export async function runIndexing(
  { core, embeddingModel }: Recollect,
  options: { isQuiet: boolean; batchSize?: number | undefined; signal?: AbortSignal | undefined },
): Promise<IndexingSummary> {
  const { indexing } = core;
  const all = await indexing.countMissingChunks(LOCAL_USER);
  const bar = showProgress(all, options.isQuiet);
  const startedAt = performance.now();
  let processed = 0;
  let chunks = 0;
  const onProgress = (more: number) => {
    chunks += more;
    const speed = (1_000 * chunks) / (performance.now() - startedAt);
    bar.update(chunks, describeSpeed(speed, Math.max(0, all - chunks) / speed));
  };
  for (;;) {
    const { batchSize, signal } = options;
    const answer = await indexing.reindex(LOCAL_USER, { onProgress, batchSize, signal });
    processed += answer.processed;
    const { status, remaining } = answer;
    const message = status === 'blocked' ? `${answer.message} ${NO_MODEL_ADVICE}` : answer.message;
    if (status !== 'pending' || embeddingModel === null || options.signal?.aborted) {
      bar.stop(message);
      return { processed, remaining, status, message };
    }
  }
}

/** Embeds what a change has left without embeddings, because without a server no one else would. */
export async function embedRest(recollect: Recollect, isQuiet: boolean): Promise<void> {
  const { status, message } = await runIndexing(recollect, { isQuiet });
  if (status !== 'completed' && !isQuiet) print(`For now, only full-text search finds it. ${message}`);
}
