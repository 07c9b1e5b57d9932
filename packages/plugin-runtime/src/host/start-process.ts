import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { setPriority } from 'node:os';
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

const child = fileURLToPath(new URL('../child/main.js', import.meta.url));

/** Below whatever the user does with the machine, captures above all. */
const PRIORITY = 10;

/**
 * Starts the process of a plugin: without an environment, with Node's permission model (it reads its own folder and the
 * runtime's code, writes nothing, starts nothing), in a process group of its own, at a low priority.
 */
export function startProcess({ folder, libraries, hasNetwork, memoryMb }: ProcessOptions): ChildProcess {
  const readable = [folder, ...Object.values(libraries).map(packageOf), ...runtimeFolders()].map(
    (path) => `--allow-fs-read=${join(path, '*')}`,
  );
  const started = spawn(
    process.execPath,
    [
      flag('--permission', '--experimental-permission'),
      // For the thread that watches the parent; plugins do not get at node:worker_threads.
      '--allow-worker',
      ...(hasNetwork && process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
      ...readable,
      '--no-warnings',
      `--max-old-space-size=${memoryMb}`,
      child,
    ],
    {
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
  );
  if (started.pid !== undefined) lowerPriority(started.pid);
  return started;
}

/** Ends a process and whatever it has started. */
export function killProcess(started: ChildProcess): void {
  if (started.pid === undefined || started.exitCode !== null || started.signalCode !== null) return;
  try {
    if (process.platform === 'win32') started.kill('SIGKILL');
    else process.kill(-started.pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}

function flag(name: string, formerly: string): string {
  return process.allowedNodeEnvironmentFlags.has(name) ? name : formerly;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // It has ended already, or the system does not let us; the limits hold all the same.
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
