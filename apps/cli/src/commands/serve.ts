import { LOCAL_USER } from '@recollect/core';
import { type AccessPolicy, isLoopback } from '@recollect/server/access-policy';
import { openRecollect } from '../compose.js';
import { type Configuration, readConfiguration } from '../config.js';
import { print, style } from '../terminal/output.js';
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
  const { port, policy, runners } = configuration;
  let server: Awaited<ReturnType<typeof startServer>>;
  try {
    server = await startServer({
      core: recollect.core,
      policy,
      port,
      version,
      check: recollect.storage.check,
      runners,
    });
  } catch (error) {
    await recollect.close();
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new PortTakenError(
      `Port ${port} is in use already. Stop what uses it, or set RECOLLECT_PORT to another port.`,
    );
  }
  const { apiKeys } = await recollect.core.apiKeys.list(LOCAL_USER);
  print(
    greeting(
      server.address,
      configuration,
      apiKeys.some(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > Date.now()),
    ),
  );
  recollect.warmUp().catch(() => {
    process.stderr.write('The embedding model did not load; search is by word alone until it does.\n');
  });
  await stopped;
  await server.close();
  await recollect.close();
  print('Recollect has stopped. Everything is saved.');
}

function greeting(address: string, { dataFolder, policy }: Configuration, hasKeys: boolean): string {
  const shown = address.replace(/\/\/(?:0\.0\.0\.0|\[::\]):/, '//127.0.0.1:');
  const isOpen = policy.auth === 'optional' && (policy.publicUrl === null || isLoopback(policy.publicUrl.hostname));
  return [
    `${style('bold', 'Recollect')} ${version} is at ${style('cyan', shown)}`,
    ...(policy.publicUrl === null ? [] : [`From outside it is at ${style('cyan', policy.publicUrl.origin)}`]),
    `Your memories are in ${dataFolder}`,
    ...(isLoopback(policy.bind) ? [] : [names(policy)]),
    ...(isOpen ? [] : [hasKeys ? NEEDS_KEY : `${NEEDS_KEY} There is none yet: recollect keys create`]),
    '',
    'Try, in another terminal:',
    '  echo "Green tea is best steeped below boiling." | \\',
    '    npm run --silent recollect -- capture -',
    '  npm run --silent recollect -- search "how hot should the water be"',
    '',
    `How it works is told at ${shown}/docs`,
    'Ctrl-C stops the server.',
  ].join('\n');
}

const NEEDS_KEY = 'Over HTTP an API key is needed.';

/** By which names a server is reached that listens to the network. */
function names({ bind, publicUrl, allowedHosts }: AccessPolicy): string {
  const known = [...(publicUrl === null ? [] : [publicUrl.host]), ...allowedHosts];
  return known.length > 0
    ? `It listens on ${bind} and answers to the names ${known.join(', ')}.`
    : `It listens on ${bind}. Set RECOLLECT_ALLOWED_HOSTS to the name or address that other machines reach it by.`;
}
