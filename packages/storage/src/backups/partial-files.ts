import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { type BackupKind, backupKinds } from '@recollect/contract/vocabulary';

const NAME = new RegExp(
  `^recollect-(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)-(\\d\\d)-(\\d\\d)Z-(${backupKinds.join('|')})(?:-(\\d+))?\\.db(\\.age)?$`,
);

/** The facts in the name of a backup. */
export interface NamedBackup {
  kind: BackupKind;
  at: string;
  isEncrypted: boolean;
}

/**
 * The name of a backup, to the second. `attempt` distinguishes backups of the same second.
 *
 * @example
 * formatName({ kind: 'hourly', at: '2026-11-23T01:20:33.000Z', isEncrypted: false });
 * // recollect-2026-11-23T01-20-33Z-hourly.db
 */
export function formatName({ kind, at, isEncrypted }: NamedBackup, attempt = 1): string {
  const time = at.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replaceAll(':', '-');
  return `recollect-${time}Z-${kind}${attempt === 1 ? '' : `-${attempt}`}.db${isEncrypted ? '.age' : ''}`;
}

/** Reads a name. Null for files that are not backups. */
export function parseName(name: string): NamedBackup | null {
  const [, day, hour, minute, second, kind, , age] = NAME.exec(name) ?? [];
  if (kind === undefined) return null;
  return { kind: kind as BackupKind, at: `${day}T${hour}:${minute}:${second}.000Z`, isEncrypted: age !== undefined };
}

/** Which of the backups of one second and kind a name says it is, from 1. */
export function attemptOf(name: string): number {
  return Number(NAME.exec(name)?.[6] ?? 1);
}

/** Files that are not finished end like this: with the machine and the process that write them. */
const PARTIAL = /\.([0-9a-f]{8})-(\d+)\.partial(?:-journal|-wal|-shm)?$/;
/** While a file is being written, its time is set this often, in milliseconds. */
const HEARTBEAT_MS = 60_000;
/** A file whose time is older was left by a process that has died, on this machine or another one. */
const STALE_AFTER_MS = 60 * HEARTBEAT_MS;

/** The files that this process is writing. In a container, a process often has the id of its predecessor. */
const active = new Set<string>();

/** Tells apart the machines and containers that share a folder: each has its own process ids. */
const machine = createHash('sha256').update(`${hostname()}\n${processNamespace()}`).digest('hex').slice(0, 8);

/** Gives `write` the path under which a file is written until it is finished, and removes the remains. */
export async function withPartialFile<T>(path: string, write: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${path}.${machine}-${process.pid}.partial`;
  const beat = setInterval(() => {
    const now = new Date();
    utimes(partial, now, now).catch(() => {});
  }, HEARTBEAT_MS);
  active.add(basename(partial));
  try {
    return await write(partial);
  } finally {
    clearInterval(beat);
    await rm(partial, { force: true });
    active.delete(basename(partial));
  }
}

/** Removes the unfinished files of dead processes from a folder. */
export async function removePartialFiles(folder: string, prefix: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, where, pid] = PARTIAL.exec(name) ?? [];
    if (pid === undefined || !name.startsWith(prefix)) continue;
    const path = join(folder, name);
    const isLeftOver = where === machine && isDead(name, Number(pid));
    if (isLeftOver || (!isActive(name) && (await isStale(path)))) await rm(path, { force: true });
  }
}

/** Whether this process is writing it. */
function isActive(name: string): boolean {
  return [...active].some((partial) => name.startsWith(partial));
}

function isDead(name: string, pid: number): boolean {
  if (pid === process.pid) return !isActive(name);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // A process of another user may not be signalled.
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

async function isStale(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts !== null && Date.now() - facts.mtimeMs > STALE_AFTER_MS;
}

/** Containers that use the name of their host still have their own process ids. Empty where there are no containers. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
