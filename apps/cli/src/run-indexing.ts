import type { ReindexAnswer } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { CATCHING_UP, NO_MODEL_ADVICE } from './commands/advice.js';
import type { Recollect } from './compose.js';
import type { EmbedOptions } from './executor/executor.js';
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
      bar.stop('');
      return { processed, remaining, status, message };
    }
  }
}

/** Milliseconds for which a command makes embeddings that nobody waits for. */
const PATIENCE = 10_000;

/**
 * Embeds what a change has left without embeddings, because without a server no one else would; all of it only if the
 * user waits for that.
 */
export async function embedRest(recollect: Recollect, { isQuiet, waits = false }: EmbedOptions): Promise<void> {
  const signal = waits ? undefined : AbortSignal.timeout(PATIENCE);
  const { status, message } = await runIndexing(recollect, { isQuiet, signal });
  if (status === 'completed') return;
  const advice = 'A running server makes the embeddings, and so does recollect reindex.';
  if (!isQuiet) print(`${CATCHING_UP} ${status === 'pending' ? advice : message}`);
  if (waits) process.exitCode = 1;
}
