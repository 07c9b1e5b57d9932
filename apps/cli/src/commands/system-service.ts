import { open } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { RecollectError } from '@recollect/core';
import { readConfiguration } from '../config.js';
import { isReady } from '../executor/send-request.js';
import { isRunning, readServerFile } from '../executor/server-file.js';
import { loadSettings, writeSettings } from '../service-manager/config.js';
import { type ServiceManager, serviceManager } from '../service-manager/managers.js';
import { isInstalled, planService, type ServicePlan } from '../service-manager/plan.js';
import { print, printFacts, printJson } from '../terminal/output.js';
import { version } from '../version.js';
import { type AddCommand, integerInRange } from './command.js';

export const addService: AddCommand = (program) => {
  const service = program.command('service').description('keep the server running, from login on');
  service
    .command('install')
    .description('start the server now and at each login, and again after a crash')
    .option('--replace', 'replace a service that another copy of Recollect has installed')
    .action(install);
  service
    .command('status')
    .description('show whether the service runs, and where its settings and messages are')
    .option('--json', 'print JSON')
    .action(status);
  service
    .command('logs')
    .description('show the messages of the service')
    .option('--lines <count>', 'how many (default: 50)', integerInRange('--lines', 1, 10_000), 50)
    .option('--follow', 'show further messages until stopped')
    .action(logs);
  service
    .command('restart')
    .description('start the service again, for example after a change of settings')
    .action(restart);
  service
    .command('uninstall')
    .description('stop the service and remove it; memories and settings stay')
    .action(uninstall);
};

async function install({ replace = false }: { replace?: boolean }): Promise<void> {
  const manager = serviceManager();
  await manager.check();
  const plan = planService(readConfiguration());
  const other = otherCopy(await manager.installed(), plan);
  if (other !== null && !replace)
    throw new RecollectError(
      'UNAVAILABLE',
      `The service was installed by another copy of Recollect, ${other}. Add --replace to run this copy instead.`,
    );
  const isOurs = (await manager.installed()) !== null && (await manager.state()).isRunning;
  await rejectOtherServer(isOurs);
  const isNew = await writeSettings(plan.settingsFile);
  const start = await serverStart();
  await manager.install(plan);
  const address = await waitForServer(manager, start);
  print(`Recollect runs as a service of ${manager.name}: ${address}`);
  printFacts({ settings: isNew ? plan.settingsFile : `${plan.settingsFile} (kept)`, service: manager.place });
  const advice = await manager.advice();
  if (advice !== null) print(advice);
}

/** The program of another copy that the service starts; null if there is none, or it is gone. */
function otherCopy(installed: readonly string[] | null, { command }: ServicePlan): string | null {
  const [, program] = installed ?? [];
  if (installed === null || program === undefined || program === command[1]) return null;
  return isInstalled(installed) ? program : null;
}

/** Throws {@link RecollectError} if a server that is not the service uses the store. */
async function rejectOtherServer(isService: boolean): Promise<void> {
  const server = await readServerFile(readConfiguration().dataFolder);
  if (isService || server === null || !isRunning(server.pid)) return;
  throw new RecollectError(
    'UNAVAILABLE',
    `A server already runs at ${server.address} (process ${server.pid}). Stop it, and install the service again.`,
  );
}

/** What tells one start of the server of this store from another. */
async function serverStart(): Promise<string | null> {
  return (await readServerFile(readConfiguration().dataFolder))?.secret ?? null;
}

const START = { pace: 100, seconds: 60 };

/**
 * Waits until the service has started, and returns its address. Throws {@link RecollectError} if it does not start.
 *
 * @param before the previous start
 */
async function waitForServer(manager: ServiceManager, before: string | null): Promise<string> {
  const until = Date.now() + 1_000 * START.seconds;
  while (Date.now() < until) {
    const server = await readServerFile(readConfiguration().dataFolder);
    if (server !== null && server.secret !== before && (await isReady(server.address))) return server.address;
    if ((await manager.state()).state === 'failed') break;
    await setTimeout(START.pace);
  }
  throw new RecollectError('UNAVAILABLE', 'The service does not start. recollect service logs says why.');
}

async function installedService(): Promise<{ manager: ServiceManager; plan: ServicePlan; command: readonly string[] }> {
  const manager = serviceManager();
  const command = await manager.installed();
  if (command === null)
    throw new RecollectError('NOT_FOUND', 'No service is installed. recollect service install installs it.');
  const plan = planService(readConfiguration());
  const settingsFile = command[command.indexOf('--settings') + 1] ?? plan.settingsFile;
  await loadSettings(settingsFile).catch(() => {});
  return { manager, plan: { ...planService(readConfiguration()), settingsFile }, command };
}

async function status({ json = false }: { json?: boolean }): Promise<void> {
  const { manager, plan, command } = await installedService();
  const managed = await manager.state();
  const server = await readServerFile(readConfiguration().dataFolder);
  const isServing = server !== null && isRunning(server.pid) && (await isReady(server.address));
  const facts = {
    state: isServing && !managed.isRunning ? 'running' : managed.state,
    pid: managed.pid ?? (isServing ? server.pid : null),
    address: isServing ? server.address : null,
    version: isServing ? server.version : null,
    program: command[1] ?? '',
    settings: plan.settingsFile,
    service: manager.place,
    logs: plan.logFile,
  };
  if (json) return printJson(facts);
  const { pid: process, ...others } = facts;
  const hasChanged = others.version !== null && others.version !== version;
  printFacts({
    state: process === null ? others.state : `${others.state}, process ${process}`,
    address: others.address ?? '',
    version: hasChanged ? `${others.version} (this is ${version}: recollect service restart)` : (others.version ?? ''),
    program: isInstalled(command) ? others.program : `${others.program} (missing)`,
    settings: others.settings,
    service: others.service,
    logs: others.logs ?? 'recollect service logs',
  });
}

async function logs({ lines, follow = false }: { lines: number; follow?: boolean }): Promise<void> {
  const { manager, plan } = await installedService();
  if (manager.showLogs !== null) {
    if ((await manager.showLogs(lines, follow)) === null)
      throw new RecollectError('UNAVAILABLE', 'The messages cannot be shown: journalctl is missing.');
    return;
  }
  if (plan.logFile !== null) await showFile(plan.logFile, lines, follow);
}

const FOLLOW = { pace: 500, end: 65_536 };

/** Prints the last lines of a file, and what is added to it. */
async function showFile(path: string, lines: number, follow: boolean): Promise<void> {
  const read = async (from: number) => {
    const file = await open(path).catch(() => null);
    if (file === null) return { text: '', size: 0 };
    try {
      const { size } = await file.stat();
      // A file that was rotated begins again.
      const start = from > size ? 0 : from;
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
      return { text: buffer.toString('utf8', 0, bytesRead), size };
    } finally {
      await file.close();
    }
  };
  const { size: whole } = await read(Number.MAX_SAFE_INTEGER).then(() => read(0));
  let { text, size } = await read(Math.max(0, whole - FOLLOW.end));
  print(text.trimEnd().split('\n').slice(-lines).join('\n'));
  while (follow) {
    await setTimeout(FOLLOW.pace);
    ({ text, size } = await read(size));
    if (text !== '') process.stdout.write(text);
  }
}

async function restart(): Promise<void> {
  const { manager } = await installedService();
  const start = await serverStart();
  await manager.restart();
  print(`The service has started again: ${await waitForServer(manager, start)}`);
}

async function uninstall(): Promise<void> {
  const { manager, plan } = await installedService();
  await manager.uninstall();
  print(`The service is stopped and removed. Your memories and ${plan.settingsFile} stay.`);
}
