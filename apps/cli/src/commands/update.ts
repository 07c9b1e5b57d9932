import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RecollectError } from '@recollect/core';
import { databaseIn, readConfiguration } from '../config.js';
import { isReady } from '../executor/send-request.js';
import { isRunning, readServerFile } from '../executor/server-file.js';
import { type ServiceManager, serviceManager } from '../service-manager/managers.js';
import { run } from '../service-manager/run-program.js';
import { print, printJson } from '../terminal/output.js';
import { changesSince } from '../update/changes.js';
import { findInstallation, type Installation, isNewer, PROGRAM, releaseOf } from '../update/installation.js';
import { npm } from '../update/npm.js';
import { replace, stage } from '../update/stage.js';
import type { AddCommand } from './command.js';

export const addUpdate: AddCommand = (program) => {
  program
    .command('update')
    .description('install the newest version, after a backup, and go back if it does not start')
    .argument('[file]', 'a package file instead of the registry')
    .option('--check', 'only say whether there is a newer version')
    .option('--json', 'with --check: print JSON')
    .action(update);
};

interface Options {
  check?: boolean;
  json?: boolean;
}

async function update(file: string | undefined, { check = false, json = false }: Options): Promise<void> {
  const present = await findInstallation();
  const release = releaseOf(present.version);
  if (file === undefined || check) {
    const newest = await npm('view', present.name, 'version');
    if (check && json) return printJson({ present: release, newest, isNewest: !isNewer(newest, release) });
    if (!isNewer(newest, release)) return print(`Recollect ${release} is the newest version.`);
    if (check) return print(`Recollect ${newest} can be installed: recollect update. This is ${release}.`);
  }
  const service = await findService();
  const staged = await stage(present, file === undefined ? `${present.name}@latest` : resolve(file));
  try {
    if (staged.version === present.version) return print(`Recollect ${present.version} is installed already.`);
    const changes = changesSince(staged.changelog, release);
    print(`Recollect ${staged.version} replaces ${present.version}.${changes === '' ? '' : `\n\n${changes}\n`}`);
    const backup = await backUp(present);
    await service?.stop();
    const { goBack, forget } = await replace(present, staged);
    const problem = await start(present, service, staged.version);
    if (problem === null) {
      await forget();
      return print(`Recollect ${staged.version} is installed${service === null ? '' : ' and runs'}.`);
    }
    await service?.stop();
    await goBack();
    await startPrevious(present, service, backup);
    throw new RecollectError('UNAVAILABLE', `${staged.version} did not start: ${problem} ${present.version} is back.`);
  } finally {
    await staged.remove();
  }
}

/**
 * Finds the service, if it runs. Throws {@link RecollectError} if another server uses the store: it would lose its
 * files.
 */
async function findService(): Promise<ServiceManager | null> {
  const manager = serviceManager();
  if ((await manager.installed().catch(() => null)) !== null && (await manager.state()).isRunning) return manager;
  const server = await readServerFile(readConfiguration().dataFolder);
  if (server === null || !isRunning(server.pid)) return null;
  throw new RecollectError('UNAVAILABLE', `A server runs in process ${server.pid}. Stop it, and update again.`);
}

/** Runs a command of an installation, with its words on this terminal's behalf. */
async function runCommand({ root }: Installation, ...words: readonly string[]) {
  return run(process.execPath, [join(root, PROGRAM), ...words]);
}

/** Makes a backup with the present version. Returns its file; null if there is nothing to save. */
async function backUp(present: Installation): Promise<string | null> {
  const { dataFolder, databaseUrl } = readConfiguration();
  const { isDatabase, UPDATE_WITHOUT_BACKUP } = await import('../compose/operator-tasks.js');
  if (isDatabase(databaseUrl)) {
    print(UPDATE_WITHOUT_BACKUP);
    return null;
  }
  if (!existsSync(databaseIn(dataFolder))) return null;
  const { code, output, errors } = await runCommand(present, 'backup', '--json');
  if (code !== 0) throw new RecollectError('BACKUP_FAILED', `${errors.trim()} Nothing has changed.`);
  const { path } = JSON.parse(output) as { path: string };
  print(`A backup is in ${path}`);
  return path;
}

const START = { pace: 100, seconds: 90 };

/** Starts what was replaced, and checks that it works. Returns what is wrong; null if nothing is. */
async function start(present: Installation, service: ServiceManager | null, version: string): Promise<string | null> {
  if (service === null) {
    // It opens the store, and so shows whether the store can be used.
    const { code, errors } = await runCommand(present, 'status');
    return code === 0 ? null : errors.trim();
  }
  try {
    await service.restart();
  } catch (error) {
    return (error as Error).message;
  }
  const until = Date.now() + 1_000 * START.seconds;
  while (Date.now() < until) {
    const server = await readServerFile(readConfiguration().dataFolder);
    if (server?.version === version && (await isReady(server.address))) return null;
    if ((await service.state()).state === 'failed') break;
    await setTimeout(START.pace);
  }
  return 'recollect service logs says why.';
}

/** Starts the previous version again, and restores the backup if that version cannot open the store. */
async function startPrevious(present: Installation, service: ServiceManager | null, backup: string | null) {
  const { code } = await runCommand(present, 'status');
  if (code !== 0 && backup !== null) await runCommand(present, 'restore', backup, '--yes');
  await service?.restart();
}
