import { access, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';

/** The facts that a running server publishes for its owner's commands (SEC-18). */
export interface ServerFile {
  /** The address at which it is reached from this machine. */
  address: string;
  /** Its process. */
  pid: number;
  /** 256 random bits in base64url, new at each start. */
  secret: string;
  version: string;
}

const pathIn = (dataFolder: string) => join(dataFolder, 'server.json');

/** Writes `server.json`, which only the owner can read. */
export async function writeServerFile(dataFolder: string, file: ServerFile): Promise<void> {
  const path = pathIn(dataFolder);
  const partial = `${path}.${file.pid}`;
  // A process with this id may have left one. Opened exclusively, so that no link leads the secret elsewhere.
  await rm(partial, { force: true });
  await writeFile(partial, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(partial, path);
}

/** Returns null if no server of this account has written the file, or if it cannot be read. */
export async function readServerFile(dataFolder: string): Promise<ServerFile | null> {
  try {
    const content = await readOwn(pathIn(dataFolder));
    const file: unknown = content === null ? null : JSON.parse(content);
    return isServerFile(file) ? file : null;
  } catch {
    return null;
  }
}

/**
 * Reads a file that only this account can have written: another one, which may write to the data folder, could
 * otherwise have commands send it what they save. Returns null for other files.
 */
async function readOwn(path: string): Promise<string | null> {
  const handle = await open(path, 'r');
  try {
    const { uid, mode } = await handle.stat();
    // Windows has neither; the folder of a user is closed to others there.
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? await handle.readFile('utf8') : null;
  } finally {
    await handle.close();
  }
}

/** Whether there is no file. */
export async function isServerFileMissing(dataFolder: string): Promise<boolean> {
  return access(pathIn(dataFolder)).then(
    () => false,
    (error) => error.code === 'ENOENT',
  );
}

/** Removes the file, unless another server has written it since. */
export async function removeServerFile(dataFolder: string, { secret }: ServerFile): Promise<void> {
  const current = await readServerFile(dataFolder);
  if (current?.secret === secret) await rm(pathIn(dataFolder), { force: true });
}

function isServerFile(file: unknown): file is ServerFile {
  if (typeof file !== 'object' || file === null) return false;
  const { address, pid, secret, version } = file as Record<string, unknown>;
  return [address, secret, version].every((value) => typeof value === 'string') && Number.isInteger(pid);
}

/** Whether a process runs, also of another account. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Milliseconds between two looks at the file. */
const PACE = 10_000;

/** A server that the owner's commands find. */
interface Announcement {
  /** Commands that start from now on open the store themselves. */
  end(): Promise<void>;
}

/**
 * Tells the owner's commands of a running server (SEC-18), also after another server of the same store, which told them
 * of itself instead, has ended. Throws the system's error if the file cannot be written.
 */
export async function announceServer(dataFolder: string, file: ServerFile): Promise<Announcement> {
  await writeServerFile(dataFolder, file);
  const inTurn = pLimit(1);
  const timer = setInterval(() => {
    void inTurn(restore, dataFolder, file).catch(() => {});
  }, PACE).unref();
  return {
    async end() {
      clearInterval(timer);
      await inTurn(removeServerFile, dataFolder, file);
    },
  };
}

/** Writes the file again if it names no process that runs. One that cannot be read may be another account's. */
async function restore(dataFolder: string, file: ServerFile): Promise<void> {
  const current = await readServerFile(dataFolder);
  if (current === null ? await isServerFileMissing(dataFolder) : !isRunning(current.pid))
    await writeServerFile(dataFolder, file);
}
