import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { RecollectError } from '@recollect/core';
import { readSession } from './config.js';
import { agentFile, LABEL, launchdAgent, programOfAgent } from './launchd.js';
import type { ServicePlan } from './plan.js';
import { run, show } from './run-program.js';
import { programOfTask, scheduledTask, TASK } from './scheduled-task.js';
import { programOf, systemdUnit, UNIT, unitFile } from './systemd.js';

/** What the system says of the service. */
export interface ServiceState {
  isRunning: boolean;
  /** Null if the system does not tell. */
  pid: number | null;
  /** In the words of the system, such as `failed`. */
  state: string;
}

/** The part of the system that starts programs at login and keeps them running. */
export interface ServiceManager {
  name: 'systemd' | 'launchd' | 'Task Scheduler';
  /** Where the service is described: a file, or the name of a task. */
  place: string;
  /** Throws {@link RecollectError} with what to do if this machine does not have it. */
  check(): Promise<void>;
  /** The command that the installed service starts; null if none is installed. */
  installed(): Promise<readonly string[] | null>;
  /** Describes the service to the system, and starts it. */
  install(plan: ServicePlan): Promise<void>;
  /** Starts it again, or for the first time after {@link stop}. */
  restart(): Promise<void>;
  /** Stops it until it is started again, or until the next login. */
  stop(): Promise<void>;
  /** Stops the service, and removes its description. */
  uninstall(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Shows its latest messages, and further ones if it follows. Null where they are in a file. */
  showLogs: ((lines: number, follow: boolean) => Promise<number | null>) | null;
  /** What else the user may want to do after the installation. */
  advice(): Promise<string | null>;
}

/** The service manager of a system. */
export function serviceManager(platform: NodeJS.Platform = process.platform): ServiceManager {
  if (platform === 'linux') return systemd();
  if (platform === 'darwin') return launchd();
  if (platform === 'win32') return taskScheduler();
  throw new RecollectError('UNAVAILABLE', 'Services are installed on Linux, macOS and Windows. Run recollect serve.');
}

function systemd(): ServiceManager {
  const place = unitFile(readSession(), homedir());
  const systemctl = (...words: string[]) => run('systemctl', ['--user', ...words]);
  return {
    name: 'systemd',
    place,
    async check() {
      if ((await systemctl('show-environment')).code === 0) return;
      throw new RecollectError(
        'UNAVAILABLE',
        'No systemd runs for this user. Log in without sudo or su, or start recollect serve another way: /docs/self-hosting says how.',
      );
    },
    installed: async () => programOf((await contentOf(place)) ?? ''),
    async install(plan) {
      // systemd binds the folders that can be written when it starts the service.
      for (const folder of plan.writable) await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(place, systemdUnit(plan));
      must(await systemctl('daemon-reload'));
      must(await systemctl('enable', UNIT));
      must(await systemctl('restart', UNIT));
    },
    restart: async () => must(await systemctl('restart', UNIT)),
    stop: async () => must(await systemctl('stop', UNIT)),
    async uninstall() {
      await systemctl('disable', '--now', UNIT);
      await rm(place, { force: true });
      await systemctl('daemon-reload');
    },
    async state() {
      const { output } = await systemctl('show', UNIT, '--property=ActiveState,MainPID');
      const { ActiveState: state = 'unknown', MainPID = '0' } = Object.fromEntries(
        output
          .trim()
          .split('\n')
          .map((line) => line.split('=') as [string, string]),
      );
      return { isRunning: state === 'active', pid: Number(MainPID) || null, state };
    },
    showLogs: (lines, follow) =>
      show('journalctl', ['--user', `--unit=${UNIT}`, `--lines=${lines}`, ...(follow ? ['--follow'] : ['--no-pager'])]),
    async advice() {
      const { username } = userInfo();
      const { output } = await run('loginctl', ['show-user', username, '--property=Linger']);
      if (output.trim() === 'Linger=yes') return null;
      return `It runs while you are logged in. To start it with the machine: loginctl enable-linger ${username}`;
    },
  };
}

function launchd(): ServiceManager {
  const place = agentFile(homedir());
  const domain = `gui/${process.getuid?.() ?? 0}`;
  return {
    name: 'launchd',
    place,
    check: async () => {},
    installed: async () => programOfAgent((await contentOf(place)) ?? ''),
    async install(plan) {
      if (plan.logFile !== null) await mkdir(dirname(plan.logFile), { recursive: true });
      await run('launchctl', ['bootout', `${domain}/${LABEL}`]);
      await write(place, launchdAgent(plan));
      must(await run('launchctl', ['bootstrap', domain, place]));
    },
    restart: async () => must(await run('launchctl', ['kickstart', '-k', `${domain}/${LABEL}`])),
    // A server that ends by itself is not started again.
    stop: async () => must(await run('launchctl', ['kill', 'SIGTERM', `${domain}/${LABEL}`])),
    async uninstall() {
      await run('launchctl', ['bootout', `${domain}/${LABEL}`]);
      await rm(place, { force: true });
    },
    async state() {
      const { output } = await run('launchctl', ['print', `${domain}/${LABEL}`]);
      const [, state = 'not loaded'] = /^[ \t]state = (.+)$/m.exec(output) ?? [];
      const [, pid] = /^[ \t]pid = (\d+)$/m.exec(output) ?? [];
      return { isRunning: state === 'running', pid: pid === undefined ? null : Number(pid), state };
    },
    showLogs: null,
    advice: async () => null,
  };
}

function taskScheduler(): ServiceManager {
  const task = (...words: string[]) => run('schtasks', [...words, '/TN', TASK]);
  return {
    name: 'Task Scheduler',
    place: TASK,
    check: async () => {},
    async installed() {
      const { code, output } = await task('/Query', '/XML');
      return code === 0 ? programOfTask(output) : null;
    },
    async install(plan) {
      if (plan.logFile !== null) await mkdir(dirname(plan.logFile), { recursive: true });
      const { username } = userInfo();
      const { domain } = readSession();
      const file = join(tmpdir(), `recollect-task-${process.pid}.xml`);
      const description = scheduledTask(plan, domain === undefined ? username : `${domain}\\${username}`);
      // Task Scheduler reads UTF-16 with a byte order mark.
      await writeFile(file, `\ufeff${description.replaceAll('\n', '\r\n')}`, { encoding: 'utf16le', flag: 'wx' });
      try {
        must(await task('/Create', '/F', '/XML', file));
      } finally {
        await rm(file, { force: true });
      }
      must(await task('/Run'));
    },
    async restart() {
      await task('/End');
      must(await task('/Run'));
    },
    stop: async () => must(await task('/End')),
    async uninstall() {
      await task('/End');
      await task('/Delete', '/F');
    },
    async state() {
      const { output } = await task('/Query', '/FO', 'CSV', '/NH');
      // The last column is the state, in the language of the system.
      const state = output.trim().split(',').at(-1)?.replaceAll('"', '') ?? '';
      return { isRunning: false, pid: null, state };
    },
    showLogs: null,
    advice: async () => null,
  };
}

async function contentOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Throws {@link RecollectError} with the words of a program that failed. */
function must({ code, output, errors }: Awaited<ReturnType<typeof run>>): void {
  if (code === 0) return;
  const words = errors.trim() || output.trim() || 'the program is missing';
  throw new RecollectError('UNAVAILABLE', `The system did not do it: ${words.replaceAll('\n', ' ')}`);
}
