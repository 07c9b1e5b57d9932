import { statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { StoreRefusedError } from '../store-refused-error.js';
import { SqliteError } from './sqlite-error.js';

/** Identifies a store in the file header: "Rcol" in ASCII. */
export const APPLICATION_ID = 0x52_63_6f_6c;

const MAGIC = 'SQLite format 3\0';
/** Offsets of fields in the header of a database file (sqlite.org/fileformat2.html), and its length. */
const HEADER = { pageSize: 16, modes: 18, pageCount: 28, userVersion: 60, applicationId: 68, bytes: 100 };
const ROLLBACK_MODE = 1;
/** Bytes of a file that are searched for its schema. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Tables that every version of a store has. */
const TABLES = ['kysely_migration', 'memories', 'chunks'];

/**
 * Checks that the file at a path is a store, or that a new one can be created there, before anything is written. Throws
 * {@link StoreRefusedError} for a file of another program, a file that is not a database, and a WAL whose database is
 * missing or empty, which SQLite would delete.
 */
export async function identifyStore(path: string): Promise<void> {
  // Check the WAL first, because a process that creates a store writes the database before the WAL.
  const walSize = await sizeOf(`${path}-wal`);
  const size = await sizeOf(path);
  if (size === 0) {
    if (walSize > 0) throw new StoreRefusedError('incomplete');
    return;
  }
  const header = await readBeginning(path, HEADER.bytes);
  if (header.length < HEADER.bytes || header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new StoreRefusedError('not-a-database');
  const id = header.readUInt32BE(HEADER.applicationId);
  if (id === APPLICATION_ID) return;
  // Stores of earlier versions have no id, and neither do most other databases.
  const hasNoMark = id === 0 && header.readUInt32BE(HEADER.userVersion) === 0;
  const isOurs = hasNoMark && (walSize > 0 ? hasStoreTables(path) : await startsWithStoreTables(path));
  if (!isOurs) throw new StoreRefusedError('foreign');
}

/** In bytes; 0 if there is no file. */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

async function readBeginning(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Looks for the tables in a copy of the file's beginning, because opening a database in WAL mode leaves files beside
 * it. A schema that is further back is read from the file itself.
 */
async function startsWithStoreTables(path: string): Promise<boolean> {
  try {
    const beginning = await readBeginning(path, MAX_READ_BYTES);
    const pageSize = beginning.readUInt16BE(HEADER.pageSize);
    const pages = Math.floor(beginning.length / (pageSize === 1 ? 65_536 : pageSize));
    beginning.writeUInt32BE(pages, HEADER.pageCount);
    beginning.fill(ROLLBACK_MODE, HEADER.modes, HEADER.modes + 2);
    return hasStoreTables(beginning);
  } catch {
    return hasStoreTables(path);
  }
}

/** Whether a database has a store's tables, or none at all, as after a first start that was killed. */
function hasStoreTables(content: string | Buffer): boolean {
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(content, { readonly: true });
    const names = database.prepare('select name from sqlite_master').pluck().all() as string[];
    return names.length === 0 || TABLES.every((name) => names.includes(name));
  } catch (error) {
    const { message, code = 'ERROR' } = error as Error & { code?: string };
    throw new SqliteError(message, code);
  } finally {
    database?.close();
  }
}

/**
 * The account that gets the files that root creates beside a store: the owner of the store, or of its folder. Null for
 * other accounts, which cannot give files away.
 */
export function ownerFor(path: string): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
  return { uid, gid };
}
