import type { Configuration } from '../config.js';
import type { Executor } from './executor.js';
import { findServer } from './find-server.js';
import { throughServer } from './through-server.js';

/** Finds the running server of the store. Without one, opens the store in this process. */
export async function openExecutor(configuration: Configuration): Promise<Executor> {
  const server = await findServer(configuration.dataFolder, configuration.serverWait);
  if (server !== null) return throughServer(server);
  // Loaded on demand: with a server, a command needs neither the store nor the model.
  const { openInProcess } = await import('./in-process.js');
  return openInProcess(configuration);
}
