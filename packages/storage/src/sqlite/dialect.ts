import { chmod, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely } from 'kysely';
import type { Connected, StorageDialect } from '../dialect.js';
import type { Tables } from '../tables.js';
import { openConnection } from './connection.js';
import { createDialect } from './driver.js';
import { openLocalConnection } from './local-connection.js';
import { migrations } from './migrations/index.js';
import { createTextIndex } from './text-index.js';
import { createVectorIndex } from './vector-index.js';

const MEMORY = ':memory:';

/** SQLite in a file (`sqlite:` and a path, or `file://`), or in memory (`sqlite::memory:`). */
export const sqliteDialect: StorageDialect = { connect, migrations, createTextIndex, createVectorIndex };

async function connect(url: string, { readers }: { readers: number }): Promise<Connected> {
  const path = pathOf(url);
  if (path !== MEMORY) await prepareFile(path);
  const writing = await openConnection({ path, readonly: false });
  const writer = new Kysely<Tables>({ dialect: createDialect([writing]) });
  if (path === MEMORY) return { writer, reader: writer, lookup: writer, close: () => writing.close() };

  const reading = await Promise.all(Array.from({ length: readers }, () => openConnection({ path, readonly: true })));
  const looking = openLocalConnection(path);
  return {
    writer,
    lookup: new Kysely<Tables>({ dialect: createDialect([looking]) }),
    reader: new Kysely<Tables>({ dialect: createDialect(reading) }),
    async close() {
      await Promise.all([looking, ...reading].map((connection) => connection.close()));
      // The last connection to close writes the WAL back.
      await writing.close();
    },
  };
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
  await file.chmod(0o600);
  await file.close();
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
