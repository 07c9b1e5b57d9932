import { RecollectError } from '@recollect/core';
import { publicBaseUrl } from '@recollect/server/access-policy';
import { type Configuration, ConfigurationError, hasDisplay, readConfiguration } from '../config.js';
import { findServer } from '../executor/find-server.js';
import { readMemory, resolveMemoryId } from '../memory-references.js';

import { localAddress } from '../server-address.js';
import { print, printJson } from '../terminal/output.js';
import { type AddCommand, withExecutor } from './command.js';

/** Milliseconds until a server counts as absent. */
const TIMEOUT = 3_000;

export const addOpen: AddCommand = (program) => {
  program
    .command('open')
    .description('open the web app, or one memory in it, in your browser')
    .argument('[id]', 'memory id, the beginning of one, or @1 for the first memory of the last list')
    .option('--json', 'only print the address, as JSON')
    .action(openApp);
};

async function openApp(typed: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const configuration = readConfiguration();
  const id = typed === undefined ? undefined : await findMemory(typed);
  const base = await findAddress(configuration, id !== undefined);
  const address = id === undefined ? `${base}/` : `${base}/memory/${encodeURIComponent(id)}`;
  if (json) return printJson({ address });
  if (!hasDisplay()) return print(address);
  // Imported on demand: it looks for the operating system's browser, and no other command needs it.
  const { default: open } = await import('open');
  try {
    await open(address);
  } catch {
    process.stderr.write('No browser could be started. Open the address yourself.\n');
    process.exitCode = 1;
  }
  print(address);
}

/** The id of a memory that exists. */
function findMemory(typed: string): Promise<string> {
  return withExecutor(async ({ call }) => {
    const id = await resolveMemoryId(call, typed);
    return (await readMemory(call, id)).id;
  });
}

/**
 * The address at which the server answers: its public URL, or its URL on this machine. Throws UNAVAILABLE.
 *
 * @param isOwn whether it must be the server of this store: another one does not have its memories
 */
async function findAddress(configuration: Configuration, isOwn: boolean): Promise<string> {
  const publicUrl = publicBaseUrl(configuration.policy);
  const wait = Math.max(configuration.serverWait, TIMEOUT);
  const server = await findServer(configuration.dataFolder, wait);
  const local = server?.address ?? localAddress(configuration);
  const addresses = [publicUrl, local].filter((address): address is string => address?.startsWith('http') === true);
  if (addresses.length === 0)
    throw new ConfigurationError(
      'A browser cannot open a socket. Set RECOLLECT_PUBLIC_URL to the address of the proxy.',
    );
  if (server === null && isOwn && publicUrl === null) throw notRunning(local);
  for (const base of addresses) {
    const isHealthy = await fetch(`${base}/healthz`, { redirect: 'error', signal: AbortSignal.timeout(wait) })
      .then(
        async (response) =>
          response.ok && typeof ((await response.json()) as { version?: unknown }).version === 'string',
      )
      .catch(() => false);
    if (isHealthy) return base;
  }
  throw notRunning(local);
}

function notRunning(address: string | null): RecollectError {
  return new RecollectError(
    'UNAVAILABLE',
    `No Recollect server answers${address === null ? '' : ` at ${address}`}. Start one with: recollect serve`,
  );
}
