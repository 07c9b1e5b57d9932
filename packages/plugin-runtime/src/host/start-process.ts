import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ProcessOptions {
  /** The plugin's own folder. */
  folder: string;
  /** What it imports beyond its own files: name → address of the module. */
  libraries: Readonly<Record<string, string>>;
  hasNetwork: boolean;
  memoryMb: number;
}

/** What Node holds before a plugin does anything. */
const OWN_MEMORY_MB = 64;

const child = fileURLToPath(new URL('../child/main.js', import.meta.url));

/**
 * Starts the process of a plugin: without an environment, with Node's permission model (it reads its own folder and the
 * runtime's code, writes nothing, starts nothing). It stays in its host's session: Linux shares the processors fairly
 * among sessions first, and a low priority in one of its own would be worth nothing.
 */
export function startProcess({ folder, libraries, hasNetwork, memoryMb }: ProcessOptions): ChildProcess {
  const readable = [folder, ...Object.values(libraries).map(packageOf), ...runtimeFolders()].map(
    (path) => `--allow-fs-read=${join(path, '*')}`,
  );
  return spawn(
    process.execPath,
    [
      '--permission',
      // For the thread that watches the parent; plugins do not get at node:worker_threads.
      '--allow-worker',
      ...(hasNetwork && process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
      ...readable,
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
 * Puts a process below whatever the user does with the machine, captures above all. On Linux a priority is a thread's
 * own, and Node has started several by now.
 */
export async function lowerPriority({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  const threads = process.platform === 'linux' ? await readdir(`/proc/${pid}/task`).catch(() => []) : [String(pid)];
  for (const thread of threads) {
    try {
      setPriority(Number(thread), constants.priority.PRIORITY_LOW);
    } catch {
      // It has ended already, or the system does not let us; the limits hold all the same.
    }
  }
}

let folders: readonly string[] | undefined;

/** The folders of the code that the child runs before a plugin's: this package, the contract, TypeBox. */
function runtimeFolders(): readonly string[] {
  folders ??= [
    packageOf(import.meta.url),
    packageOf(import.meta.resolve('@recollect/contract')),
    packageOf(import.meta.resolve('typebox')),
  ];
  return folders;
}

/** The folder of the package that a module belongs to. */
function packageOf(url: string): string {
  let folder = dirname(realpathSync(fileURLToPath(url)));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
