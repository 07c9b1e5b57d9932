import { accessSync, constants, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RecollectError } from '@recollect/core';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { ConnectOptions } from '../connect-options.js';
import type { Connected } from '../dialect.js';
import { rejectionOf } from '../rejection-of.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { createCopyStore } from './backup/copy-store.js';
import { findReplacement, finishReplacement } from './backup/replacement.js';
import { findStaging, removeStaging } from './backup/staging.js';
import { keepBallast } from './ballast.js';
import { checkStructure } from './check-structure.js';
import { type StatementRunner, toConnection } from './connection.js';
import { createDialect } from './driver.js';
import { connectExclusively } from './exclusive-store.js';
import { explainFault, failedRead, isDamage, isFailedRead, isFull } from './explain-fault.js';
import { findDamage, markDamaged } from './find-damage.js';

import { identifyStore, sizeOf } from './identify-store.js';
import { refuseMarkedFile } from './mark-file.js';
import { openConnection } from './open-connection.js';
import { createPool } from './pool.js';
import { connectReadOnly } from './read-only-store.js';
import { createReaderPool, openReaders } from './readers.js';
import { createSearches } from './searches.js';
import { readFacts } from './store-facts.js';
import { makeFolder, prepareFile } from './store-file.js';
import { holdStore, lockFileOf, type StoreLock, seizeStore } from './store-lock.js';
import { createStoreWatch } from './store-watch.js';
import { textFileOf } from './texts/text-file.js';
import { createTextMemory } from './texts/text-memory.js';
import { createVectorMemory } from './vectors/vector-memory.js';
import { DAMAGED, openWriter } from './writer.js';

/**
 * Megabytes of pages that each reader caches while the indexes are in memory: it then reads few rows of the file, which
 * the system caches for all of them.
 */
const IN_MEMORY_CACHE_MB = 8;
const NO_TEXTS =
  'Texts are searched on disk, which is slower: this machine cannot search them in memory, or RECOLLECT_TEXT_MEMORY is too small.';
const NO_VECTORS =
  'Vectors are searched on disk, which is slower: this machine cannot run the scan in memory, or RECOLLECT_VECTOR_MEMORY is too small.';

/** Opens a store in a file, and creates it if it does not exist. A damaged one is opened for reading only. */
export async function connectToFile(path: string, options: ConnectOptions): Promise<Connected> {
  const lock = await lockStore(path, options);
  try {
    const connected = await openConnections(path, options);
    return {
      copy: createCopyStore(path),
      ...connected,
      async close(options) {
        try {
          await connected.close(options);
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Marks the store as open, after completing a restore that a crash has interrupted. */
async function lockStore(path: string, options: ConnectOptions): Promise<StoreLock> {
  if ((await findReplacement(path)) !== null) {
    const seized = seizeStore(path);
    try {
      if (seized !== null) await finishReplacement(path);
    } finally {
      seized?.release();
    }
  }
  refuseUnwritable(path);
  // A file of another program gets no lock file beside it.
  if (options.isInUse !== true) await identifyStore(path);
  refuseMarkedFile(path);
  const { mayCreate } = options;
  if (mayCreate !== undefined && (await sizeOf(path)) === 0 && !(await mayCreate()))
    throw new StoreRefusedError('lost');
  await makeFolder(dirname(path));
  await removeLeftovers(path);
  const lock = holdStore(path);
  const isUnfinished = lock !== null && (await findReplacement(path)) !== null;
  if (lock !== null && !isUnfinished) return lock;
  lock?.release();
  throw new RecollectError('STORE_BUSY', 'A backup is being restored. Wait until that has ended, then try again.');
}

/** Removes the files of killed restores, unless another process has the store open. */
async function removeLeftovers(path: string): Promise<void> {
  if ((await findStaging(path)).length === 0) return;
  let seized: StoreLock | null = null;
  try {
    seized = seizeStore(path);
    if (seized !== null) await removeStaging(path);
  } catch {
    // A store that only others may write to can still be read.
  } finally {
    seized?.release();
  }
}

async function openConnections(
  path: string,
  { readers, cacheMb, vectorMemoryMb = 0, textMemoryMb = 0, onNotice = () => {} }: ConnectOptions,
): Promise<Connected> {
  await undoUnfinished(path);
  const isNew = (await sizeOf(path)) === 0;
  if (!isNew && (await findDamage(path)) !== null) return connectReadOnly(path, readers);
  await prepareFile(path);
  const open = () => openConnection({ path, readonly: false, cacheMb }, readers > 0);
  const watch = createStoreWatch(path);
  const onDamage = (reason: string) => markDamaged(path, reason);
  const reopen = async (close: () => Promise<void>) => {
    await close();
    if (!watch.isInPlace() || (await stat(path)).size === 0) throw new StoreRefusedError('incomplete');
    return open();
  };
  const writing = await openWriter({ path, open, isInPlace: watch.isInPlace, reopen, onDamage }).catch((error) => {
    watch.close();
    if (isFull(error, path)) return null;
    throw error;
  });
  // A store on a disk without room for the WAL's index can still be read.
  if (writing === null) return connectExclusively(path, readers > 0);
  const { vectors, texts } = reserveMemory({ readers, vectorMemoryMb, textMemoryMb, onNotice });
  const isInMemory = vectors !== null && texts !== null;
  const readerCacheMb = isInMemory ? Math.min(cacheMb ?? IN_MEMORY_CACHE_MB, IN_MEMORY_CACHE_MB) : cacheMb;
  const opening = openReaders({
    threads: readers,
    path,
    cacheMb: readerCacheMb,
    vectors,
    texts,
    isInPlace: watch.isInPlace,
  });
  const reading = await opening.catch(async (error) => {
    await writing.close().catch(() => {});
    watch.close();
    throw error;
  });

  const halt = (reason: string) => {
    writing.halt(DAMAGED);
    onDamage(reason);
  };

  /**
   * Reads again where a read found damage, after a second look. Damage that both find halts the writer, so that it does
   * not spread it in the file.
   */
  const readAgain = async <Result>(error: unknown, read: () => Promise<Result>): Promise<Result> => {
    if (!isDamage(error)) throw explainFault(error, path);
    // Another file in its place reads like a damaged one. Looking sets the problem.
    if (!watch.isInPlace() && writing.problem !== null) throw rejectionOf(writing.problem);
    await writing.suspect();
    if (writing.problem?.code === 'STORE_HALTED') throw rejectionOf(writing.problem);
    if (writing.problem !== null) throw explainFault(error, path);
    return read().catch((reason) => {
      if (isFailedRead(reason)) throw failedRead(reason);
      if (isDamage(reason)) halt((reason as Error).message);
      throw explainFault(reason, path);
    });
  };
  const guarded = ({ run, callWithin, close }: StatementRunner) =>
    toConnection({
      close,
      run: (...statement) => run(...statement).catch((error) => readAgain(error, () => run(...statement))),
      callWithin:
        (limit) =>
        (name, ...args) => {
          const call = () => callWithin(limit)(name, ...args);
          return call().catch((error) => readAgain(error, call));
        },
    });
  watch.start({ halt: writing.halt, onDamage: halt, source: reading.first });
  const looking = createPool([guarded(reading.lookup)]);
  const pool = createReaderPool(reading, guarded);
  const { createSearches: create, saveTexts } = createSearches(pool, {
    vectors,
    texts: texts && { memory: texts, file: textFileOf(path) },
    onNotice,
  });
  const ballast = keepBallast(path, watch);
  return {
    writer: new Kysely<Tables>({ dialect: createDialect(createPool([toConnection(writing)])) }),
    lookup: new Kysely<Tables>({ dialect: createDialect(looking) }),
    reader: new Kysely<Tables>({ dialect: createDialect(pool) }),
    createSearches: create,
    facts: () => readFacts(path),
    copy: createCopyStore(path, watch.isInPlace),
    problem: () => writing.problem,
    reserve: ballast,
    async checkStructure(signal) {
      const { problems } = await checkStructure(path, { signal });
      if (problems.length === 0) return problems;
      await writing.suspect();
      return writing.problem === null ? [] : problems;
    },
    async close({ keepsFiles } = { keepsFiles: false }) {
      await Promise.all([watch.stop(), ballast.stop(), keepsFiles || writing.problem !== null ? null : saveTexts()]);
      // The last connection to close writes the WAL back and deletes it, unless it only reads.
      if (keepsFiles || writing.problem !== null) {
        await writing.close();
        await reading.close();
      } else {
        await reading.close();
        await writing.close();
      }
      watch.close();
    },
  };
}

/** Reserves memory for the indexes that are wanted. They come with threads. */
function reserveMemory({
  readers,
  vectorMemoryMb,
  textMemoryMb,
  onNotice,
}: {
  readers: number;
  vectorMemoryMb: number;
  textMemoryMb: number;
  onNotice: (notice: string) => void;
}) {
  const [vectorMb = 0, textMb = 0] = readers > 0 ? [vectorMemoryMb, textMemoryMb] : [];
  const vectors = vectorMb > 0 ? createVectorMemory(vectorMb, readers) : null;
  const texts = textMb > 0 ? createTextMemory(textMb, readers) : null;
  if (vectorMb > 0 && vectors === null) onNotice(NO_VECTORS);
  if (textMb > 0 && texts === null) onNotice(NO_TEXTS);
  return { vectors, texts };
}

/**
 * Lets SQLite undo a transaction that a crash interrupted while the store was being created, before its WAL existed.
 * Until then the header of the file belongs to that transaction: the store's id would seem to change when the file is
 * opened, as if another store had been copied over it. If the file cannot be opened, this changes nothing, and opening
 * the store then reports the cause.
 */
async function undoUnfinished(path: string): Promise<void> {
  if ((await sizeOf(path)) === 0 || (await sizeOf(`${path}-journal`)) === 0) return;
  let database: Sqlite.Database | undefined;
  try {
    database = new Sqlite(path);
    // The first read applies the journal.
    database.prepare('select 1 from sqlite_master').all();
  } catch {
    // Reported when the store is opened.
  } finally {
    database?.close();
  }
}

const { R_OK, W_OK } = constants;

/**
 * Throws {@link StoreRefusedError} if this account may not write to a file of the store. SQLite would open it for
 * reading only, and every change would fail.
 */
function refuseUnwritable(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) refuseWithout(file, R_OK | W_OK);
  refuseWithout(lockFileOf(path), R_OK);
}

function refuseWithout(file: string, access: number): void {
  try {
    accessSync(file, access);
  } catch (error) {
    // A missing file is created later, where problems of its folder are explained.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    const owner = ownerOf(file);
    if (owner === null) return;
    throw new StoreRefusedError(owner === process.getuid?.() ? 'read-only' : 'not-owned', { cause: error, file });
  }
}

/** Null if the folder does not show the file. */
function ownerOf(file: string): number | null {
  try {
    return statSync(file).uid;
  } catch {
    return null;
  }
}
