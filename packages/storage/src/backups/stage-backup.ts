import { constants } from 'node:fs';
import { chmod, copyFile, open, realpath, stat } from 'node:fs/promises';
import { runAge } from './age/run-age.js';

const AGE = 'age-encryption.org/v1';
/** A database with a WAL says so in these bytes of its header (sqlite.org/fileformat2.html). */
const MODES = { offset: 18, wal: [2, 2] };
const HEAD_BYTES = 32;

/** The file at a path, as far as its first bytes tell. */
export type BackupFile =
  | { exists: false }
  | {
      exists: true;
      /** Size of the file and its WAL. */
      bytes: number;
      isEncrypted: boolean;
      /** The WAL of a store that was not closed, or that was moved aside: its newest changes are only there. */
      wal: string | null;
    };

/** Looks at the beginning of a file that may be a backup. */
export async function lookAtFile(path: string): Promise<BackupFile> {
  const facts = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (!facts?.isFile()) return { exists: false };
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const isEncrypted = buffer.toString('latin1', 0, AGE.length) === AGE;
    const hasWal = MODES.wal.every((mode, index) => buffer[MODES.offset + index] === mode);
    // Beside any other file, a WAL is not its own.
    const wal = hasWal ? await findWal(path) : null;
    return { exists: true, bytes: facts.size + (wal?.bytes ?? 0), isEncrypted, wal: wal?.path ?? null };
  } finally {
    await file.close();
  }
}

async function findWal(path: string): Promise<{ path: string; bytes: number } | null> {
  const wal = `${await realpath(path)}-wal`;
  const bytes = (await stat(wal).catch(() => null))?.size ?? 0;
  return bytes === 0 ? null : { path: wal, bytes };
}

/** How reading a backup ended. */
export type Staged = 'done' | 'wrong-passphrase' | 'damaged';

/**
 * Writes the content of a backup to a new file, decrypted if there is a passphrase, and syncs it. Also copies a store's
 * WAL; SQLite applies it when the new file is opened. Throws on errors of the system.
 */
export async function stageBackup(
  source: string,
  target: string,
  { passphrase, signal }: { passphrase: string | null; signal?: AbortSignal | undefined },
): Promise<Staged> {
  if (passphrase !== null) {
    const result = await runAge({ direction: 'decrypt', source, target, passphrase, isBackground: false }, signal);
    if (result.outcome === 'failed') throw Object.assign(new Error(result.message), { code: result.code });
    return result.outcome;
  }
  const found = await lookAtFile(source);
  await copyDurably(source, target);
  if (found.exists && found.wal !== null) await copyDurably(found.wal, `${target}-wal`);
  return 'done';
}

async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL);
  // The copy has the mode of the backup, which may be read-only. Windows syncs no file that is opened for reading only.
  await chmod(target, 0o600);
  const file = await open(target, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
