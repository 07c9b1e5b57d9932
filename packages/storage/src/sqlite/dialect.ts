import { chmod, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, sql } from 'kysely';
import type { Connected, StorageDialect } from '../dialect.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { type StatementRunner, toConnection } from './connection.js';
import { createDialect } from './driver.js';
import { explainFault, isDamage, isFull } from './explain-fault.js';
import { identifyStore } from './identify-store.js';
import { openLocalConnection } from './local-connection.js';
import { migrations } from './migrations/index.js';
import { createTextIndex } from './text-index.js';
import { openThreadConnection } from './thread-connection.js';
import { createVectorIndex } from './vector-index.js';
import { openWriter } from './writer.js';

const MEMORY = ':memory:';

/** SQLite in a file (`sqlite:` and a path, or `file://`), or in memory (`sqlite::memory:`). */
export const sqliteDialect: StorageDialect = {
  connect,
  migrations,
  hasTable,
  createTextIndex,
  createVectorIndex,
};

async function connect(url: string, { readers }: { readers: number }): Promise<Connected> {
  const path = pathOf(url);
  try {
    return path === MEMORY ? await connectAlone(path) : await connectToFile(path, readers);
  } catch (error) {
    throw refusalOf(error) ?? explainFault(error, path);
  }
}

/** One connection for everything. */
async function connectAlone(path: string): Promise<Connected> {
  const open = () => openThreadConnection({ path, readonly: false, isAlone: path !== MEMORY });
  const writing = await openWriter({ path, open });
  const writer = new Kysely<Tables>({ dialect: createDialect([toConnection(writing)]) });
  return { writer, reader: writer, lookup: writer, isHalted: () => writing.isHalted, close: () => writing.close() };
}

async function connectToFile(path: string, readers: number): Promise<Connected> {
  const open = async () => {
    await identifyStore(path);
    return openThreadConnection({ path, readonly: false });
  };
  await identifyStore(path);
  await prepareFile(path);
  const writing = await openWriter({ path, open }).catch((error) => {
    if (isFull(error, path)) return null;
    throw error;
  });
  // A disk with no room for the WAL's index can still be read from.
  if (writing === null) return connectAlone(path);
  const reading: StatementRunner[] = [];
  try {
    const opened = await Promise.allSettled(
      Array.from({ length: readers }, () => openThreadConnection({ path, readonly: true })),
    );
    reading.push(...opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    for (const outcome of opened) if (outcome.status === 'rejected') throw outcome.reason;
    reading.push(openLocalConnection(path));
  } catch (error) {
    await Promise.all(reading.map((runner) => runner.close()));
    await writing.close();
    throw error;
  }

  /** A reader that meets damage stops the writer, which would carry it on into the file. */
  const guarded = ({ run, close }: StatementRunner) =>
    toConnection({
      close,
      run: (...statement) =>
        run(...statement).catch((error) => {
          if (isDamage(error)) writing.halt();
          throw explainFault(error, path);
        }),
    });
  const looking = reading.slice(readers).map(guarded);
  const pool = reading.slice(0, readers).map(guarded);
  return {
    writer: new Kysely<Tables>({ dialect: createDialect([toConnection(writing)]) }),
    lookup: new Kysely<Tables>({ dialect: createDialect(looking) }),
    reader: new Kysely<Tables>({ dialect: createDialect(pool) }),
    isHalted: () => writing.isHalted,
    async close() {
      const closeReaders = () => Promise.all(reading.map((runner) => runner.close()));
      // The last connection to close writes the WAL back and deletes it, unless it only reads: the WAL of a store that
      // is damaged stays.
      if (writing.isHalted) {
        await writing.close();
        await closeReaders();
      } else {
        await closeReaders();
        await writing.close();
      }
    },
  };
}

async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
  return rows.length > 0;
}

/** An error that means that the store cannot be opened at all. */
function refusalOf(error: unknown): StoreRefusedError | null {
  if (error instanceof StoreRefusedError) return error;
  const { code, message } = error as { code?: unknown; message?: string };
  // A thread that could not be started says so in its message alone.
  const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE' || /\bE[MN]FILE\b/.test(message ?? '');
  if (isOutOfFiles) return new StoreRefusedError('too-many-files', { cause: error });
  const isUnreadable = isDamage(error) || (error instanceof Error && /not a database|malformed/.test(error.message));
  return isUnreadable ? new StoreRefusedError('not-a-database', { cause: error }) : null;
}

function pathOf(url: string): string {
  if (url.startsWith('file:')) return fileURLToPath(url);
  const path = url.slice('sqlite:'.length);
  return path === MEMORY ? path : resolve(path);
}

/**
 * The folder and the file are the user's alone (SEC-7); SQLite gives its -wal and -shm files the same mode. A folder that
 * holds other things too keeps its mode: it is not ours to close.
 */
async function prepareFile(path: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const isOurs = (await readdir(folder)).every((name) => name.startsWith(basename(path)));
  if (isOurs) await chmod(folder, 0o700);
  const file = await open(path, 'a', 0o600);
  try {
    await file.chmod(0o600);
  } finally {
    await file.close();
  }
}

/** Level by level: asked to make all of them under a path such as /proc, Node's own way never comes back. */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await make();
  }
}
