import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { promisify } from 'node:util';

/** Of util-linux, which every distribution has. */
const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'];
/** A network namespace needs a user namespace, unless the account may do without. */
const WAYS = [
  ['--user', '--map-current-user', '--net', '--'],
  ['--net', '--'],
];

let prefix: Promise<readonly string[]> | undefined;

/**
 * The command that starts a program in an empty network namespace: nothing in it reaches an address, loopback included,
 * even if it runs native code. Empty where the system has no such command, or does not let this account use it (some
 * distributions restrict user namespaces). Determined once for each process.
 */
export function withoutNetwork(): Promise<readonly string[]> {
  prefix ??= findPrefix();
  return prefix;
}

async function findPrefix(): Promise<readonly string[]> {
  const unshare = process.platform === 'linux' ? UNSHARE.find((path) => existsSync(path)) : undefined;
  if (unshare === undefined) return [];
  for (const way of WAYS) {
    const works = await promisify(execFile)(unshare, [...way, '/bin/true'], { env: {} }).then(
      () => true,
      () => false,
    );
    if (works) return [unshare, ...way];
  }
  return [];
}

export interface ProcessOptions {
  /** The plugin's own folder. */
  folder: string;
  /** Additional modules that it imports: import name → module URL. */
  libraries: Readonly<Record<string, string>>;
  hasNetwork: boolean;
  memoryMb: number;
  /** Ids of all running plugin processes. A process is in it from its start to its end. */
  running: Set<number>;
  /** Whether the system's own isolation is used where there is one. Default true. */
  usesNamespaces?: boolean | undefined;
}

/** The memory that Node uses before a plugin does anything. */
const OWN_MEMORY_MB = 64;

const child = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/**
 * Starts a plugin's process without an environment and under Node's permission model: it can read its own folder and
 * the runtime's code, cannot write files and cannot start processes. `launcher` is a command that starts another one.
 * The process stays in its host's session: Linux shares CPU time among sessions first, so a separate session would make
 * a low priority ineffective.
 */
export function startProcess(
  { folder, libraries, hasNetwork, memoryMb }: ProcessOptions,
  launcher: readonly string[],
): ChildProcess {
  const readable = [folder, bundle, ...Object.values(libraries).map(packageOf)].map(
    (path) => `--allow-fs-read=${join(path, '*')}`,
  );
  const [command = '', ...flags] = [...launcher, process.execPath];
  return spawn(
    command,
    [
      ...flags,
      '--permission',
      // For the thread that watches the process, after which none can start.
      '--allow-worker',
      ...(hasNetwork && process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
      ...readable,
      // The signal would start the inspector, whose port runs code.
      ...(process.allowedNodeEnvironmentFlags.has('--disable-sigusr1') ? ['--disable-sigusr1'] : []),
      '--no-warnings',
      `--max-old-space-size=${memoryMb}`,
      child,
      String(memoryMb + OWN_MEMORY_MB),
    ],
    {
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    },
  );
}

/**
 * Lowers a process's priority so that it does not slow down the user's other work, captures above all. On Linux each
 * thread has its own priority, and Node has started several threads by now.
 */
export async function lowerPriority({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  const threads = process.platform === 'linux' ? await readdir(`/proc/${pid}/task`).catch(() => []) : [String(pid)];
  for (const thread of threads) {
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_LOW);
    } catch {
      // The process has ended, or the system does not allow it. The limits apply anyway.
    }
  }
}

/** The folder of the code that the child runs before the plugin's. */
const bundle = dirname(child);

/** The folder of the package that contains a module. */
function packageOf(url: string): string {
  let folder = dirname(realpathSync(fileURLToPath(url)));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
