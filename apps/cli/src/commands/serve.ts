import { openRecollect } from '../compose.js';
import { readConfiguration } from '../config.js';
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
  const { port, policy, runners, dataFolder } = configuration;
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
  print(greeting(server.address, dataFolder));
  recollect.warmUp().catch(() => {
    process.stderr.write('The embedding model did not load; search is by word alone until it does.\n');
  });
  await stopped;
  await server.close();
  await recollect.close();
  print('Recollect has stopped. Everything is saved.');
}

function greeting(address: string, dataFolder: string): string {
  return [
    `${style('bold', 'Recollect')} ${version} is at ${style('cyan', address)}`,
    `Your memories are in ${dataFolder}`,
    '',
    'Try, in another terminal:',
    '  echo "Green tea is best steeped below boiling." | \\',
    '    npm run --silent recollect -- capture -',
    '  npm run --silent recollect -- search "how hot should the water be"',
    '',
    `The interface is described at ${address}/docs`,
    'Ctrl-C stops the server.',
  ].join('\n');
}
