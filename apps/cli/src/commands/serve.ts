import { LOCAL_USER } from '@recollect/core';
import { openRecollect } from '../compose.js';
import { ConfigurationError, readConfiguration, unknownSettings } from '../config.js';
import { greet } from '../terminal/greet.js';
import { print } from '../terminal/output.js';
import { version } from '../version.js';
import type { AddCommand } from './command.js';

/** The port is somebody else's. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}

export const addServe: AddCommand = (program) => {
  program
    .command('serve')
    .description('serve the memory over HTTP until it is told to stop')
    .addHelpText('after', '\nExamples:\n  recollect serve\n  RECOLLECT_PORT=5000 recollect serve')
    .action(serve);
};

async function serve(): Promise<void> {
  // Ctrl-C reaches every process of the terminal and is passed on by npm's shell and the bootstrap too, so each signal may
  // come twice; the listeners stay, and the second does not end the closing.
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
  print(greet(server.address, configuration, hasKeys));
  for (const name of unknownSettings())
    process.stderr.write(`${name} is no setting; docs/configuration.md lists them.\n`);
  recollect.warmUp().catch(() => {
    process.stderr.write('The embedding model did not load; search is by word alone until it does.\n');
  });
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

/** Why the server does not listen, with what to do about it. */
function explain(error: unknown, port: number): unknown {
  switch ((error as { code?: string }).code) {
    case 'EADDRINUSE':
      return new PortTakenError(
        `Port ${port} is in use already. Stop what uses it, or set RECOLLECT_PORT to another port.`,
      );
    case 'EACCES':
      return new ConfigurationError(
        `Port ${port} may not be used by this account. Set RECOLLECT_PORT to one above 1023.`,
      );
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return new ConfigurationError('RECOLLECT_HOST is no address of this machine. Set it to one, or leave it out.');
    default:
      return error;
  }
}
