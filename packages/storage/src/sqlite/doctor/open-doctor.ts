import { chmod, readdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Following, MemoryKey, OpenPermission, StoreDoctor } from '@recollect/core';
import { sql } from 'kysely';
import { type Connected, transactionsOf } from '../../dialect.js';
import { createIntegrityStore } from '../../memories/integrity-store.js';
import { StoreRefusedError } from '../../store-refused-error.js';
import { checkStructure } from '../check-structure.js';
import { sqliteDialect } from '../dialect.js';
import { removeDamageMark } from '../find-damage.js';
import { identifyStore, sizeOf } from '../identify-store.js';
import { readMarkFile } from '../mark-file.js';
import { migrations } from '../migrations/index.js';
import { connectReadOnly } from '../read-only-store.js';
import { sqliteSql } from '../sql-dialect.js';
import { readFacts } from '../store-facts.js';
import { followLinks, isOurs, pathOf } from '../store-file.js';
import { removeFile, textFileOf } from '../texts/text-file.js';
import { readDerivedFacts } from './derived-facts.js';
import { repair } from './repair.js';

/** Memories per read of the check against the checksums. */
const BATCH = 200;
const HOUR = 3_600_000;

export interface DoctorOptions {
  /** Whether to repair a store on a network file system. */
  allowsNetwork?: boolean;
}

/**
 * Opens the doctor of a store. It reads only, so it works beside a server and on a damaged store; a repair opens a
 * connection that writes. Throws {@link StoreRefusedError} if there is no store, or if it cannot be read at all. Call
 * `close` when done.
 */
export async function openDoctor(url: string, { allowsNetwork = false }: DoctorOptions = {}): Promise<StoreDoctor> {
  const path = await followLinks(pathOf(url));
  if ((await sizeOf(path)) === 0 && (await sizeOf(`${path}-wal`)) === 0) throw new StoreRefusedError('missing');
  await identifyStore(path);
  const { reader, close } = await connectReadOnly(path, 1);
  const database = { reader, writer: reader, lookup: reader, transaction: transactionsOf(reader), ...sqliteSql };
  const integrity = createIntegrityStore(database, async () => []);

  const readVersions = async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(reader);
    const applied = rows.map(({ name }) => name);
    return {
      missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !Object.hasOwn(migrations, name)),
    };
  };

  const writing = async (work: (connected: Connected) => Promise<void>) => {
    if ((await readVersions()).unknown.length > 0) throw new StoreRefusedError('too-new');
    const connected = await sqliteDialect.connect(url, { readers: 1, allowsNetwork, isInUse: true });
    try {
      // A repair need not be in the change sequence, also one that fails.
      removeFile(textFileOf(path));
      await work(connected);
    } finally {
      await connected.close();
    }
  };

  return {
    structure: (options) => examineStructure(path, options),
    move: async () => readMarkFile(path),

    async foreignKeys() {
      const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(reader);
      return [...new Set(rows.map(({ table }) => table))];
    },

    async damagedMemories({ signal, onProgress } = {}) {
      const { rows } = await sql<{ count: number }>`select count(*) as count from memories`.execute(reader);
      const damaged: MemoryKey[] = [];
      let checked = 0;
      let after: MemoryKey | null = { userId: '', id: '' };
      while (after !== null && !signal?.aborted) {
        const batch: Awaited<ReturnType<typeof integrity.checkNext>> = await integrity.checkNext(after, BATCH);
        damaged.push(...batch.damaged);
        checked += batch.checked;
        after = batch.last;
        onProgress?.(checked, rows[0]?.count ?? checked);
      }
      const recorded = await integrity.damaged(1_000).catch(() => []);
      for (const { userId, id } of recorded)
        if (!damaged.some((memory) => memory.id === id)) damaged.push({ userId, id });
      return { checked, damaged };
    },

    derived: () => readDerivedFacts(reader),

    async work() {
      const failed = await reader.selectFrom('indexing_jobs').select('error').where('status', '=', 'failed').execute();
      const parked = await reader
        .selectFrom('plugin_events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('is_parked', '=', 1)
        .executeTakeFirstOrThrow();
      const stuck = await reader
        .selectFrom('leases')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('started', '<=', sqliteSql.clock())
        .where('ends', '>', sqliteSql.clock(HOUR))
        .executeTakeFirstOrThrow();
      return {
        failedIndexing: failed.map(({ error }) => error ?? 'for an unknown reason'),
        parkedEvents: parked.count,
        stuckLeases: stuck.count,
      };
    },

    async versions() {
      const { rows: versions } = await sql<{ version: string }>`select sqlite_version() as version`.execute(reader);
      return { database: versions[0]?.version ?? 'unknown', ...(await readVersions()) };
    },

    permissions: () => readOpenPermissions(path),

    async lastReading() {
      const row = await reader.selectFrom('store_time').select('looked_at').executeTakeFirst();
      return row?.looked_at ?? null;
    },

    facts: () => readFacts(path),

    fix: (part, following = {}) => writing(({ writer }) => repair(writer, part, following)),

    fixPermissions: () => closePermissions(path),

    async clearMark() {
      removeDamageMark(path);
    },

    close: () => close(),
  };
}

/** An index that differs from its table, as the integrity check says it. */
const INDEX_PROBLEM = /(?:row \d+ missing from index|wrong # of entries in index|non-unique entry in index)/;

/**
 * Checks the structure of a store, and whether only its indexes differ from their tables. The full check ends at ten
 * problems. If these are all of indexes, they may hide others: the quick check, which compares no indexes, decides.
 */
async function examineStructure(path: string, options: Following = {}): ReturnType<StoreDoctor['structure']> {
  const { problems, isComplete } = await checkStructure(path, { kind: 'full', ...options });
  const isIndexOnly = problems.length > 0 && problems.every((text) => INDEX_PROBLEM.test(text));
  if (isComplete || !isIndexOnly || options.signal?.aborted) return { problems, isIndexOnly, isComplete };
  const hidden = await checkStructure(path, { kind: 'quick', ...options });
  return {
    problems: [...hidden.problems, ...problems],
    isIndexOnly: hidden.problems.length === 0,
    isComplete: hidden.isComplete,
  };
}

/** The modes that only this account can use. */
const OWN = { folder: 0o700, file: 0o600 };

/** The store's files and working folders, and its folder if it is Recollect's own. */
async function pathsOf(path: string): Promise<{ path: string; mode: number }[]> {
  const folder = dirname(path);
  const entries = await readdir(folder, { withFileTypes: true });
  const ours = entries.filter(({ name }) => isOurs(path, name));
  return [
    ...(ours.length === entries.length ? [{ path: folder, mode: OWN.folder }] : []),
    // A restore works in a folder beside the store.
    ...ours.map((entry) => ({ path: `${folder}/${entry.name}`, mode: entry.isDirectory() ? OWN.folder : OWN.file })),
  ];
}

/**
 * The files that other accounts can read or write, and the folder if they can write to it. Windows has no such modes.
 */
async function readOpenPermissions(path: string): Promise<OpenPermission[]> {
  if (process.platform === 'win32') return [];
  const open: OpenPermission[] = [];
  for (const { path: file } of await pathsOf(path)) {
    const mode = (await stat(file)).mode & 0o777;
    if ((mode & 0o077) !== 0) open.push({ path: file, mode: mode.toString(8) });
  }
  // A folder with other files keeps its mode, but no other account may replace the store in it.
  const folder = dirname(path);
  const { mode } = await stat(folder);
  const isListed = open.some((entry) => entry.path === folder);
  if (!isListed && (mode & 0o022) !== 0) open.push({ path: folder, mode: (mode & 0o777).toString(8) });
  return open;
}

async function closePermissions(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const { path: file, mode } of await pathsOf(path)) await chmod(file, mode);
  const folder = dirname(path);
  await chmod(folder, (await stat(folder)).mode & 0o755);
}
