import { LOCAL_USER } from '@recollect/core';
import { openRecollect } from '../compose.js';
import { ConfigurationError, readConfiguration, unknownSettings } from '../config.js';
import { print } from '../terminal/output.js';
import { startupMessage } from '../terminal/startup-message.js';
import { version } from '../version.js';
import type { AddCommand } from './command.js';

/** Another process uses the port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

export const addServe: AddCommand = (program) => {
  program
    .command('serve')
    .description('serve your memories over HTTP until stopped')
    .addHelpText('after', '\nExamples:\n  recollect serve\n  RECOLLECT_PORT=5000 recollect serve')
    .action(serve);
};

async function serve(): Promise<void> {
  // Ctrl-C reaches every process of the terminal, and npm's shell and the bootstrap pass it on, so each signal may arrive
  // twice. The listeners stay, so that a second signal does not interrupt the shutdown.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const configuration = readConfiguration();
  const { startServer } = await import('@recollect/server');
  const recollect = await openRecollect(configuration);
  const { port, policy, runners, openclawHosts, mcp } = configuration;
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
      check: recollect.storage.check,
      runners,
      openclawHosts,
      mcp,
    });
  } catch (error) {
    await recollect.close().catch(() => {});
    throw explain(error, port);
  }
  print(startupMessage(server.address, configuration, hasKeys));
  for (const name of unknownSettings())
    process.stderr.write(`Unknown setting ${name}. docs/configuration.md lists all settings.\n`);
  recollect.warmUp().then(
    // The first capture would otherwise wait for the tokenizer.
    () => recollect.embeddingModel?.profile.countTokens('warm up'),
    () => process.stderr.write('The embedding model did not load. Until it does, search uses full text only.\n'),
  );
  await stopped;
  try {
    await server.close();
  } finally {
    await recollect.close();
  }
  const isHalted = recollect.storage.isHalted();
  print(
    isHalted
      ? 'Recollect has stopped. The disk failed or the store is damaged: see the errors above before you start it again.'
      : 'Recollect has stopped. Everything is saved.',
  );
}

/** Explains why the server cannot listen, and what to do. */
function explain(error: unknown, port: number): unknown {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return new PortTakenError(
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
