import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RecollectError } from '@recollect/core';
import { dequantise } from '@recollect/in-memory-index';
import { Kysely, sql } from 'kysely';
import type { ConnectOptions } from '../connect-options.js';
import { insertRows } from '../move/insert-rows.js';
import type { Moving, SourceStore, TargetStore } from '../move/moving.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { findReplacement } from './backup/replacement.js';
import { type StatementRunner, toConnection } from './connection.js';
import { createDialect } from './driver.js';
import { connectExclusively } from './exclusive-store.js';
import { explainFault } from './explain-fault.js';
import { findDamage } from './find-damage.js';
import { identifyStore, sizeOf } from './identify-store.js';
import { openLocalConnection } from './local-connection.js';
import { readMarkFile, refuseMarkedFile, writeMarkFile } from './mark-file.js';
import { createPool } from './pool.js';
import { refuseNetwork } from './refuse-network.js';
import { SqliteError } from './sqlite-error.js';
import { followLinks, MEMORY, makeFolder, pathOf, prepareFile } from './store-file.js';
import { type StoreLock, seizeStore } from './store-lock.js';

/** Moving a store from or to a file. */
export const sqliteMoving: Moving = {
  openSource,
  openTarget,
  toVector(stored) {
    const { buffer, byteOffset, length } = stored as Uint8Array<ArrayBuffer>;
    return dequantise(new Int8Array(buffer, byteOffset, length));
  },
  insert: insertRows,
  async continueNumbers(trx, newest) {
    await sql`delete from sqlite_sequence where name = 'index_changes' and seq < ${newest}`.execute(trx);
    await sql`insert into sqlite_sequence (name, seq) select 'index_changes', ${newest}
      where not exists (select 1 from sqlite_sequence where name = 'index_changes')`.execute(trx);
  },
};

async function openSource(url: string, options: ConnectOptions): Promise<SourceStore> {
  const path = await findFile(url, options);
  if ((await sizeOf(path)) === 0) throw new StoreRefusedError('missing');
  refuseMarkedFile(path);
  return locked(path, async () => {
    if ((await findDamage(path)) !== null) throw new StoreRefusedError('damaged');
    const connection = openLocalConnection({ path, readonly: true });
    return {
      db: new Kysely<Tables>({ dialect: createDialect(createPool([toConnection(explained(connection, path))])) }),
      location: `sqlite:${path}`,
      writeMark: async (mark) => writeMarkFile(path, mark),
      close: () => connection.close(),
    };
  });
}

async function openTarget(url: string, options: ConnectOptions): Promise<TargetStore> {
  const path = await findFile(url, options);
  await makeFolder(dirname(path));
  return locked(path, async () => {
    const connect = async () => {
      await prepareFile(path);
      return connectExclusively(path, false);
    };
    let connected = await connect();
    return {
      get db() {
        return connected.writer;
      },
      location: `sqlite:${path}`,
      readMark: async () => readMarkFile(path),
      writeMark: async (mark) => writeMarkFile(path, mark),
      async empty() {
        await connected.close();
        for (const ending of ['-wal', '-shm', '-journal', '']) await rm(path + ending, { force: true });
        connected = await connect();
      },
      close: () => connected.close(),
    };
  });
}

/** The path of a file that is a store, or that can become one. */
async function findFile(url: string, { allowsNetwork = false }: ConnectOptions): Promise<string> {
  const named = pathOf(url);
  if (named === MEMORY) throw new StoreRefusedError('missing');
  const path = await followLinks(named);
  if (!allowsNetwork) await refuseNetwork(path);
  await identifyStore(path);
  if ((await findReplacement(path)) === null) return path;
  throw new RecollectError('STORE_BUSY', 'A backup is being restored. Wait until that has ended, then try again.');
}

/** Opens a store that no other process has open, and keeps it locked until it is closed. */
async function locked<Store extends { close(): Promise<void> }>(
  path: string,
  open: () => Promise<Store>,
): Promise<Store> {
  const lock = seize(path);
  if (lock === null) throw new StoreRefusedError('in-use');
  try {
    const store = await open();
    const { close } = store;
    return Object.assign(store, {
      async close() {
        try {
          await close();
        } finally {
          lock.release();
        }
      },
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Locks a store, and throws an error of SQLite that can be explained. */
function seize(path: string): StoreLock | null {
  try {
    return seizeStore(path);
  } catch (error) {
    const { code } = error as { code?: string };
    throw code?.startsWith('SQLITE_') ? new SqliteError((error as Error).message, code) : error;
  }
}

/** A connection whose failed statements say what to do. */
function explained({ run, ...connection }: StatementRunner, path: string): StatementRunner {
  return {
    ...connection,
    run: (...statement) =>
      run(...statement).catch((error) => {
        throw explainFault(error, path);
      }),
  };
}
