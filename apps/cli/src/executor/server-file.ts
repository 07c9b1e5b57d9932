import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server tells the commands of its owner (SEC-18). */
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
  await writeFile(partial, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  // A file that was there before keeps its mode.
  await chmod(partial, 0o600);
  await rename(partial, path);
}

/** Returns null if no server has written the file, or if it cannot be read. */
export async function readServerFile(dataFolder: string): Promise<ServerFile | null> {
  const content = await readFile(pathIn(dataFolder), 'utf8').catch(() => null);
  if (content === null) return null;
  try {
    const file: unknown = JSON.parse(content);
    return isServerFile(file) ? file : null;
  } catch {
    return null;
  }
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
