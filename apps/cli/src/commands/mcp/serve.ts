import { readConfiguration } from '../../config.js';
import { findServer } from '../../executor/find-server.js';
import { openProcessUpstream } from '../../mcp-relay/process-upstream.js';
import { createRelay } from '../../mcp-relay/relay.js';
import { openServerUpstream } from '../../mcp-relay/server-upstream.js';
import { stopSignal } from '../command.js';

/** Milliseconds until the process exits at the latest, once its client has gone. */
const EXIT_TIMEOUT = 15_000;

/** Milliseconds for which an assistant waits for the running server at least. */
const MIN_PATIENCE_MS = 3_000;

/**
 * Serves one client over standard input and output until it disconnects or the process receives a stop signal. The
 * running server answers, or, while there is none, a process that has the store and the model to itself.
 */
export async function serveMcp(): Promise<void> {
  const { dataFolder, serverWait } = readConfiguration();
  // Starting a process costs far more than waiting for a busy server.
  const patience = serverWait === 0 ? 0 : Math.max(serverWait, MIN_PATIENCE_MS);
  const stopped = stopSignal();
  if (process.stdin.isTTY) {
    process.stderr.write(
      'Waiting for a Model Context Protocol client. To set one up, see recollect mcp --help. Press Ctrl-C to stop.\n',
    );
  }
  /** The secrets of servers that do not serve assistants. */
  const refusing = new Set<string>();
  const find = async () => {
    const server = await findServer(dataFolder, patience);
    return server === null || refusing.has(server.secret) ? null : server;
  };
  const relay = createRelay({
    input: process.stdin,
    output: process.stdout,
    async open(onOther) {
      const server = await find();
      if (server === null) return openProcessUpstream(async () => (await find()) === null, onOther);
      const isRunning = async () => (await find())?.secret === server.secret;
      return openServerUpstream(server, isRunning, () => refusing.add(server.secret));
    },
  });
  const stop = new Promise<number>((resolve) => {
    if (stopped.aborted) resolve(0);
    stopped.addEventListener('abort', () => resolve(0), { once: true });
  });
  process.exitCode = await Promise.race([relay.ended, stop]);
  setTimeout(() => process.exit(), EXIT_TIMEOUT).unref();
  await relay.close();
  // The client may keep its end open.
  process.stdin.destroy();
}
