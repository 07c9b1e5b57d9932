import type { ReindexAnswer } from '@recollect/contract';
import { LOCAL_USER } from '@recollect/core';
import { CATCHING_UP, NO_MODEL_ADVICE } from './commands/advice.js';
import type { Recollect } from './compose/open-recollect.js';
import { readConfiguration } from './config.js';
import type { EmbedOptions } from './executor/executor.js';
import { findServer } from './executor/find-server.js';
import { throughServer } from './executor/through-server.js';
import { print } from './terminal/output.js';
import { describeTimeLeft, showProgress } from './terminal/progress.js';

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
    bar.update(chunks, describeTimeLeft(Math.max(0, all - chunks) / speed));
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
const TIMEOUT_MS = 10_000;

/**
 * Embeds what a change has left without embeddings, because without a server no one else would; all of it only if the
 * user waits for that.
 */
export async function embedRest(recollect: Recollect, { isQuiet, waits = false }: EmbedOptions): Promise<void> {
  const signal = waits ? undefined : AbortSignal.timeout(TIMEOUT_MS);
  const { status, message } = await runIndexing(recollect, { isQuiet, signal });
  if (status === 'completed') return;
  const advice = 'A running server makes the embeddings, and so does recollect reindex.';
  if (!isQuiet) print(`${CATCHING_UP} ${status === 'pending' ? advice : message}`);
  if (waits) process.exitCode = 1;
}

/** Milliseconds that a server has to answer, also for a command that does not use it. */
const WAIT = 300;

/**
 * Removes the embeddings of previous models, unless a running server still searches with one of them: it uses another
 * model from its next start on. Returns what the user should do then; null if they are removed.
 */
export async function removePreviousEmbeddings(
  { core, embeddingModel }: Recollect,
  signal: AbortSignal,
): Promise<string | null> {
  const { dataFolder, serverWait } = readConfiguration();
  const server = await findServer(dataFolder, serverWait || WAIT);
  if (server !== null) {
    const executor = throughServer(server);
    const status = await executor.call('status', {}).catch(() => null);
    await executor.close();
    // One without a model searches no embeddings. If it does not say, they are kept.
    if (status === null || (status.model !== null && status.model !== embeddingModel?.id))
      return 'The running server uses another model, whose embeddings are kept. Restart the server to search with these.';
  }
  await core.indexing.removePrevious({ signal });
  return null;
}
