import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Restored } from '@recollect/contract';
import { LOCAL_USER, RecollectError, type StoreProblem } from '@recollect/core';
import { type AccessPolicy, isLoopback, SYSTEMD_SOCKET, unixPathOf } from '@recollect/server/access-policy';
import { removeAbandonedSocket } from '../abandoned-socket.js';
import type { Recollect } from '../compose/open-recollect.js';
import { type Configuration, ConfigurationError, hasSystemdSocket, readConfiguration } from '../config.js';
import { callsOf } from '../executor/in-process.js';
import { announceServer } from '../executor/server-file.js';
import { fromHere } from '../server-address.js';
import { loadSettings } from '../service-manager/config.js';
import { announceProblems, describeProblem } from '../terminal/announce-problems.js';
import { inert, print } from '../terminal/output.js';
import { startupMessage } from '../terminal/startup-message.js';
import { findInstallation, releaseOf } from '../update/installation.js';
import { npm } from '../update/npm.js';
import { checkWeekly } from '../update/weekly-check.js';
import { version } from '../version.js';
import { describeStep } from '../watch/keep-in-step.js';
import { type FolderWatch, watchFolder } from '../watch/watch-folder.js';
import { DAMAGE_ADVICE } from './advice.js';
import type { AddCommand } from './command.js';
import { adviseAfterRestore, createBackupRestorer, restoreStore } from './restore/restore-in-server.js';

export const addServe: AddCommand = (program) => {
  program
    .command('serve')
    .description('serve your memories over HTTP until stopped')
    .option('--settings <file>', 'read settings from a file, one RECOLLECT_NAME=value a line')
    .option('--log <file>', 'write messages to a file, which is rotated at 5 MB')
    .action(serve);
};

async function serve({ settings, log }: { settings?: string; log?: string }): Promise<void> {
  if (log !== undefined) (await import('../service-manager/log-file.js')).logTo(log);
  if (settings !== undefined) await loadSettings(settings);
  // Ctrl-C reaches every process of the terminal, and npm's shell and the bootstrap pass it on, so each signal may
  // arrive twice. The listeners stay, so that a second signal does not interrupt the shutdown.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const configuration = readConfiguration();
  if (configuration.policy.bind === SYSTEMD_SOCKET && !hasSystemdSocket())
    throw new ConfigurationError(
      'systemd has passed no socket, or several. Start the socket unit, or unset RECOLLECT_LISTEN. docs/self-hosting.md has an example.',
    );
  let service = await startService(configuration);
  print(startupMessage(service.address, { ...configuration, policy: service.policy }, service.hasKeys));
  for (;;) {
    const change = await Promise.race([stopped, service.changed]);
    if (change === undefined) break;
    await service.close();
    const restored = change === 'model' ? null : await restoreStore(readConfiguration(), change.backup);
    const reason = describeChange(restored);
    // The socket is closed with the server, and only systemd can open it again.
    if (configuration.policy.bind === SYSTEMD_SOCKET)
      return print(`Recollect has stopped. The next request starts it with ${reason}.`);
    const started = await startAgain(service.port, stopped, { isChanging: change === 'model', restored });
    if (started === null) return print('Recollect has stopped. Everything is saved.');
    service = started;
    print(`Recollect has started again with ${reason}.`);
  }
  const problem = await service.close();
  const ending = problem === null ? 'Everything is saved.' : describeProblem(problem);
  print(`Recollect has stopped. ${ending}`);
}

/** Why a service has to start again: another model was chosen, or a backup is to be restored. */
type Change = 'model' | { backup: string };

function describeChange(restored: Restored | null): string {
  if (restored === null) return 'another model';
  return restored.problem === null
    ? `the backup ${inert(restored.name)}`
    : 'the same store, because the restore failed';
}

interface ChangedStart {
  /** Whether the model was changed, so that searches use the former one for a while. */
  isChanging?: boolean;
  /** The restore before this start. */
  restored?: Restored | null;
}

/**
 * How often, and after how many milliseconds, a start is tried again: another program may hold the port or the store
 * for a moment.
 */
const TRIES = { count: 20, pace: 500 };

/**
 * Starts a service in place of a closed one, at its port, which clients know. Returns null if the server was stopped
 * during the start. Throws the error of the last try, and says first what to do after a restore.
 */
async function startAgain(port: number, stopped: Promise<void>, change: ChangedStart): Promise<Service | null> {
  for (let left = TRIES.count; ; left--) {
    try {
      return await startService({ ...readConfiguration(), port }, change);
    } catch (error) {
      if (left === 0) {
        if (change.restored != null) process.stderr.write(`${inert(adviseAfterRestore(change.restored))}\n`);
        throw error;
      }
      if ((await Promise.race([stopped.then(() => 'stopped'), setTimeout(TRIES.pace)])) === 'stopped') return null;
    }
  }
}

/** A server with all that it needs. */
interface Service {
  address: string;
  port: number;
  policy: AccessPolicy;
  /** Whether there are API keys that can be used. */
  hasKeys: boolean;
  /** Settles when the service has to start again. */
  changed: Promise<Change>;
  /** Returns what was wrong with the store in the end. */
  close(): Promise<StoreProblem | null>;
}

async function startService(
  configuration: Configuration,
  { isChanging = false, restored = null }: ChangedStart = {},
): Promise<Service> {
  const { startServer } = await import('@recollect/server');
  const { openRecollect } = await import('../compose/open-recollect.js');
  const { promise: changed, resolve } = Promise.withResolvers<Change>();
  const recollect = await openRecollect(configuration, 'service', {
    onModelChosen: () => resolve('model'),
    backupRestorer: createBackupRestorer(configuration, (backup) => resolve({ backup }), restored),
  });
  const { port, policy, runners, openclawHosts, mcp, metrics } = configuration;
  const secret = randomBytes(32).toString('base64url');
  const socket = unixPathOf(policy.bind);
  let server: Awaited<ReturnType<typeof startServer>>;
  let hasKeys: boolean;
  try {
    const { apiKeys } = await recollect.core.apiKeys.list(LOCAL_USER);
    hasKeys = apiKeys.some(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > Date.now());
    if (socket !== null) await removeAbandonedSocket(socket);
    server = await startServer({
      core: recollect.core,
      policy,
      port,
      version,
      check: recollect.check,
      checkHere: recollect.checkHere,
      runners: runners && recollect.storage.inspector.problem() === null,
      openclawHosts,
      mcp,
      metrics,
      ownerSecret: secret,
      isPlugin: recollect.pluginHost.holdsConnection,
    });
  } catch (error) {
    await recollect.close().catch(() => {});
    throw explain(error, configuration);
  }
  const announcement = await announce(server.address, configuration, secret);
  const { inspector } = recollect.storage;
  const storeProblem = inspector.problem();
  if (storeProblem?.code === 'STORE_DAMAGED') process.stderr.write(`${storeProblem.message} ${DAMAGE_ADVICE}\n`);
  let isClosing = false;
  recollect.warmUp({ withPrevious: isChanging }).then(
    // The first capture would otherwise wait for the tokenizer.
    () => recollect.embeddingModel?.profile.countTokens('warm up'),
    () => {
      if (!isClosing)
        process.stderr.write(
          'The embedding model did not load. Until it does, search uses full text only. recollect doctor may know why.\n',
        );
    },
  );
  const watches = watchFolders(configuration, recollect);
  const updateCheck = configuration.checksForUpdates ? startUpdateCheck(configuration) : null;
  const endAnnouncing = announceProblems(inspector, (sentence) => process.stderr.write(`${sentence}\n`));
  return {
    address: server.address,
    port: server.port,
    policy: server.policy,
    hasKeys,
    changed,
    async close() {
      isClosing = true;
      endAnnouncing();
      updateCheck?.end();
      await Promise.all(watches.map((watch) => watch.close()));
      await announcement?.end();
      try {
        await server.close();
      } finally {
        await recollect.close();
      }
      return inspector.problem();
    },
  };
}

function startUpdateCheck({ dataFolder }: Configuration) {
  return checkWeekly(dataFolder, {
    release: releaseOf(version),
    findNewest: async () => npm('view', (await findInstallation()).name, 'version'),
    report: (sentence) => process.stderr.write(`${sentence}\n`),
  });
}

/** Keeps the folders that are configured in step with their memories. */
function watchFolders({ watched, dataFolder }: Configuration, recollect: Recollect): FolderWatch[] {
  const call = callsOf(recollect);
  return watched.map((folder) =>
    watchFolder(folder, {
      dataFolder,
      withCall: (work) => work(call),
      readPdf: (bytes) => recollect.articleExtractor.extractPdf(bytes),
      onStep(step) {
        if (step.did === 'skipped') process.stderr.write(`${inert(describeStep(step))}\n`);
      },
      onProblem: (sentence) => process.stderr.write(`${inert(sentence)}\n`),
    }),
  );
}

/**
 * Tells the owner's commands of this server. Returns null if they cannot use it: they then open the store themselves.
 */
async function announce(listening: string, { dataFolder }: Configuration, secret: string) {
  const address = fromHere(listening);
  const path = unixPathOf(address);
  // The socket that systemd has opened may have no path that is known here.
  if (path === null ? !isLoopback(new URL(address).hostname) : path === '') return null;
  return announceServer(dataFolder, { address, pid: process.pid, secret, version }).catch(() => null);
}

/** Explains why the server cannot listen, and what to do. */
function explain(error: unknown, { policy, port }: Configuration): unknown {
  const { code, name } = error as NodeJS.ErrnoException;
  if (unixPathOf(policy.bind) !== null) return explainSocket(error);
  if (name === 'ExposedSocketError')
    return new ConfigurationError(
      'The socket of systemd opens Recollect to the network. Set RECOLLECT_AUTH=required, or ListenStream to 127.0.0.1.',
    );
  switch (code) {
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

/** Explains why the server cannot listen at a Unix socket. */
function explainSocket(error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new RecollectError(
        'UNAVAILABLE',
        'RECOLLECT_LISTEN names a socket at which another program answers, or another file. Stop the program, or remove the file.',
      );
    // Node reports a folder that does not exist as one without permission.
    case 'EACCES':
    case 'ENOTDIR':
    case 'EROFS':
      return new ConfigurationError(
        'The folder in RECOLLECT_LISTEN does not exist, or this account may not write to it. Choose another folder.',
      );
    default:
      return error;
  }
}
