import type { Recollect } from './compose.js';
import { readConfiguration } from './config.js';
import { findServer } from './executor/find-server.js';
import { throughServer } from './executor/through-server.js';

/** Milliseconds that a server has to answer, also for a command that does not use it. */
const WAIT = 300;

/**
 * Removes the embeddings of former models, unless a running server still searches with one of them: it uses another
 * model from its next start on. Returns what the user should do then; null if they are removed.
 */
export async function removeFormerEmbeddings(
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
  await core.indexing.removeFormer({ signal });
  return null;
}
