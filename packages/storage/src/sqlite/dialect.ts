import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Kysely, sql } from 'kysely';
import type { Connected, StorageDialect } from '../dialect.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { type StatementRunner, toConnection } from './connection.js';
import { createDialect } from './driver.js';
import { explainFault, explainOpenFault, isDamage, isFull } from './explain-fault.js';
import { identifyStore } from './identify-store.js';
import { openLocalConnection } from './local-connection.js';
import { migrations } from './migrations/index.js';
import { sqliteSql } from './sql-dialect.js';
import { readFacts } from './store-facts.js';
import { followLinks, MEMORY, pathOf, prepareFile } from './store-file.js';
import { createTextIndex } from './text-index.js';
import { textIndexTable } from './text-index-table.js';
import { openThreadConnection } from './thread-connection.js';
import { vectorIndexTable } from './vector-index-table.js';
import { createVectorSearch } from './vector-search.js';
import { openWriter } from './writer.js';

/** SQLite in a file (`sqlite:` and a path, or `file://`), or in memory (`sqlite::memory:`). */
export const sqliteDialect: StorageDialect = {
  connect,
  migrations,
  hasTable,
  sql: sqliteSql,
  textIndexTable,
  vectorIndexTable,
  createTextIndex,
  createVectorSearch,
};

async function connect(url: string, { readers }: { readers: number }): Promise<Connected> {
  const named = pathOf(url);
  try {
    return named === MEMORY ? await connectExclusively(named) : await connectToFile(await followLinks(named), readers);
  } catch (error) {
    throw refusalOf(error) ?? explainOpenFault(error, named);
  }
}

/** One connection for everything. */
async function connectExclusively(path: string): Promise<Connected> {
  const open = () => openThreadConnection({ path, readonly: false, isExclusive: path !== MEMORY });
  const writing = await openWriter({ path, open, reopen: open });
  const writer = new Kysely<Tables>({ dialect: createDialect([toConnection(writing)]) });
  return {
    writer,
    reader: writer,
    lookup: writer,
    facts: () => readFacts(path),
    isHalted: () => writing.isHalted,
    checkWritable: writing.checkWritable,
    close: ({ keepsFiles } = { keepsFiles: false }) => writing.close({ optimizes: !keepsFiles }),
  };
}

async function connectToFile(path: string, readers: number): Promise<Connected> {
  await identifyStore(path);
  await prepareFile(path);
  const open = () => openThreadConnection({ path, readonly: false });
  const { dev, ino } = await stat(path);
  const reopen = async () => {
    const present = await stat(path);
    if (present.dev !== dev || present.ino !== ino || present.size === 0) throw new StoreRefusedError('incomplete');
    return open();
  };
  const writing = await openWriter({ path, open, reopen }).catch((error) => {
    if (isFull(error, path)) return null;
    throw error;
  });
  // A store on a disk without room for the WAL's index can still be read.
  if (writing === null) return connectExclusively(path);
  const reading: StatementRunner[] = [];
  try {
    const opened = await Promise.allSettled(
      Array.from({ length: readers }, () => openThreadConnection({ path, readonly: true })),
    );
    reading.push(...opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
    for (const outcome of opened) if (outcome.status === 'rejected') throw outcome.reason;
    reading.push(openLocalConnection(path));
  } catch (error) {
    await Promise.allSettled(reading.map((runner) => runner.close()));
    await writing.close().catch(() => {});
    throw error;
  }

  /** A reader that finds damage halts the writer, so that it does not spread the damage in the file. */
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
    facts: () => readFacts(path),
    isHalted: () => writing.isHalted,
    checkWritable: writing.checkWritable,
    async close({ keepsFiles } = { keepsFiles: false }) {
      const closeReaders = () => Promise.all(reading.map((runner) => runner.close()));
      // The last connection to close writes the WAL back and deletes it, unless it only reads.
      if (keepsFiles || writing.isHalted) {
        await writing.close({ optimizes: false });
        await closeReaders();
      } else {
        await closeReaders();
        await writing.close({ optimizes: true });
      }
    },
  };
}

async function hasTable(db: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
  return rows.length > 0;
}

/** Whether a thread did not start because a package seemed to be missing that is there: Node says so if it may open no more files. */
function isUnreadablePackage(message: string): boolean {
  const folder = /^Cannot find package '(.+?[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/']+)/.exec(message)?.[1];
  return folder !== undefined && existsSync(folder);
}

/** An error that means that the store cannot be opened at all. */
function refusalOf(error: unknown): StoreRefusedError | null {
  if (error instanceof StoreRefusedError) return error;
  const { code, message } = error as { code?: unknown; message?: string };
  // A thread that could not be started reports that only in its message.
  const isOutOfFiles =
    code === 'EMFILE' || code === 'ENFILE' || /\bE[MN]FILE\b/.test(message ?? '') || isUnreadablePackage(message ?? '');
  if (isOutOfFiles) return new StoreRefusedError('too-many-files', { cause: error });
  const isUnreadable = isDamage(error) || (error instanceof Error && /not a database|malformed/.test(error.message));
  return isUnreadable ? new StoreRefusedError('not-a-database', { cause: error }) : null;
}
