import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import envPaths from 'env-paths';
import type { Configuration } from '../config.js';

/** What the system has to start, and where it may write. */
export interface ServicePlan {
  /** The program and its arguments. */
  command: readonly string[];
  /** The file with the service's settings. */
  settingsFile: string;
  /** The file that the service writes its messages to; null where the system keeps them. */
  logFile: string | null;
  /** The folders that the service writes to. */
  writable: readonly string[];
  home: string;
}

/** The program as Node starts it, without the compiled copy that only fits one version of it. */
const PROGRAM = fileURLToPath(new URL('../bundle/main.js', import.meta.url));

/** Plans the service of this installation for the user who runs the command. */
export function planService(
  { dataFolder, backups, watched }: Pick<Configuration, 'dataFolder' | 'backups' | 'watched'>,
  platform: NodeJS.Platform = process.platform,
): ServicePlan {
  const { config, log } = envPaths('recollect', { suffix: '' });
  const settingsFile = join(config, 'service.env');
  const logFile = platform === 'linux' ? null : join(log, 'server.log');
  const command = [process.execPath, PROGRAM, 'serve', '--settings', settingsFile];
  if (logFile !== null) command.push('--log', logFile);
  // A watched folder gets nothing but a file that tells what is known of it.
  const writable = [...new Set([dataFolder, backups.folder, ...watched])];
  return { command, settingsFile, logFile, writable: withoutInner(writable), home: homedir() };
}

/** The folders without those that are in another of them. */
function withoutInner(folders: readonly string[]): string[] {
  return folders.filter((folder) => !folders.some((other) => other !== folder && isWithin(folder, other)));
}

function isWithin(path: string, folder: string): boolean {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    if (parent === folder) return true;
    if (parent === dirname(parent)) return false;
  }
}

/** Whether the program of a service is still there. */
export function isInstalled(command: readonly string[]): boolean {
  return command.slice(0, 2).every((path) => existsSync(path));
}
