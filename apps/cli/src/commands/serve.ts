import { randomBytes } from 'node:crypto';
import { LOCAL_USER, RecollectError } from '@recollect/core';
import { isLoopback } from '@recollect/server/access-policy';
import { type Configuration, ConfigurationError, readConfiguration } from '../config.js';
import { announceServer } from '../executor/announce-server.js';
import { localAddress } from '../server-address.js';
import { announceProblems, describeProblem } from '../terminal/announce-problems.js';
import { print } from '../terminal/output.js';
import { startupMessage } from '../terminal/startup-message.js';
import { version } from '../version.js';
import { DAMAGE_ADVICE } from './advice.js';
import type { AddCommand } from './command.js';

export const addServe: AddCommand = (program) => {
  program.command('serve').description('serve your memories over HTTP until stopped').action(serve);
};

async function serve(): Promise<void> {
  // Ctrl-C reaches every process of the terminal, and npm's shell and the bootstrap pass it on, so each signal may arrive
  // twice. The listeners stay, so that a second signal does not interrupt the shutdown.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const configuration = readConfiguration();
  const { startServer } = await import('@recollect/server');
  const { openRecollect } = await import('../compose.js');
  const recollect = await openRecollect(configuration, 'service');
  const { port, policy, runners, openclawHosts, mcp, metrics } = configuration;
  const secret = randomBytes(32).toString('base64url');
  let server: Awaited<ReturnType<typeof startServer>>;
  let hasKeys: boolean;
  try {
    const { apiKeys } = await recollect.core.apiKeys.list(LOCAL_USER);
    hasKeys = apiKeys.some(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > Date.now());
    server = await startServer({
      core: recollect.core,
      policy,
      port,
      version,
      check: recollect.check,
      runners: runners && recollect.storage.inspector.problem() === null,
      openclawHosts,
      mcp,
      metrics,
      ownerSecret: secret,
    });
  } catch (error) {
    await recollect.close().catch(() => {});
    throw explain(error, port);
  }
  const announcement = await announce(server.address, configuration, secret);
  print(startupMessage(server.address, configuration, hasKeys));
  const found = recollect.storage.inspector.problem();
  if (found?.code === 'STORE_DAMAGED') process.stderr.write(`${found.message} ${DAMAGE_ADVICE}\n`);
  recollect.warmUp().then(
    // The first capture would otherwise wait for the tokenizer.
    () => recollect.embeddingModel?.profile.countTokens('warm up'),
    () => process.stderr.write('The embedding model did not load. Until it does, search uses full text only.\n'),
  );
  const { inspector } = recollect.storage;
  const endAnnouncing = announceProblems(inspector, (sentence) => process.stderr.write(`${sentence}\n`));
  await stopped;
  endAnnouncing();
  await announcement?.end();
  try {
    await server.close();
  } finally {
    await recollect.close();
  }
  const problem = inspector.problem();
  const ending = problem === null ? 'Everything is saved.' : describeProblem(problem);
  print(`Recollect has stopped. ${ending}`);
}

/** Tells the owner's commands of this server. Returns null if they cannot use it: they then open the store themselves. */
async function announce(address: string, { dataFolder, policy }: Configuration, secret: string) {
  const local = localAddress({ policy, port: Number(new URL(address).port) });
  if (!isLoopback(new URL(local).hostname)) return null;
  return announceServer(dataFolder, { address: local, pid: process.pid, secret, version }).catch(() => null);
}

/** Explains why the server cannot listen, and what to do. */
function explain(error: unknown, port: number): unknown {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return new RecollectError(
        'UNAVAILABLE',
        `Port ${port} is in use. Stop the other server, or set RECOLLECT_PORT to another port.`,
      );
    case 'EACCES':
      return new ConfigurationError(`This account may not use port ${port}. Set RECOLLECT_PORT to a port above 1023.`);
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return new ConfigurationError(
        'RECOLLECT_HOST is not an address of this machine. Set it to one that is, or unset it.',
      );
    default:
      return error;
  }
}
