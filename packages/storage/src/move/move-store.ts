import { setImmediate } from 'node:timers/promises';
import { RecollectError } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { actAs, EVERYONE } from '../acting-user.js';
import type { ConnectOptions } from '../connect-options.js';
import type { StorageDialect } from '../dialect.js';
import { appliedMigrations, migrateSchema, refuseNewer } from '../schema.js';
import { StoreRefusedError } from '../store-refused-error.js';
import type { Tables } from '../tables.js';
import { CopyDiffersError, compareRows } from './compare-rows.js';
import { type CopyContext, copyRows } from './copy-rows.js';
import { movedTables } from './moved-tables.js';
import type { Row, SourceStore, TargetStore } from './moving.js';
import { countRows, type NamedTable, readBatch, readLast } from './read-batch.js';

/** One side of a move, open. */
export interface MoveSide<Store> {
  dialect: StorageDialect;
  store: Store;
}

export interface MoveOptions {
  signal?: AbortSignal | undefined;
  /** Receives how many rows of how many are done, each being copied and compared. */
  onProgress?: ((done: number, whole: number, table: string) => void) | undefined;
}

/** A move that has ended. */
export interface Moved {
  /** The rows of each table. */
  rows: Record<string, number>;
  /** Where the memories are now, without a password. */
  location: string;
}

/** Locks the source of a move. Throws {@link StoreRefusedError} if it is in use, damaged or of another version. */
export async function openSource(
  dialect: StorageDialect,
  url: string,
  options: ConnectOptions,
): Promise<MoveSide<SourceStore>> {
  const store = await actAs(EVERYONE, () => dialect.moving.openSource(url, options));
  try {
    const applied = await appliedMigrations(store.db, dialect);
    refuseNewer(applied, dialect);
    if (applied.length < Object.keys(dialect.migrations).length) throw new StoreRefusedError('too-old');
    return { dialect, store };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the target of a move, and creates its tables. Throws {@link StoreRefusedError}. */
export async function openTarget(
  dialect: StorageDialect,
  url: string,
  options: ConnectOptions,
): Promise<MoveSide<TargetStore>> {
  const store = await dialect.moving.openTarget(url, options);
  try {
    const applied = await appliedMigrations(store.db, dialect);
    refuseNewer(applied, dialect);
    // A store of an earlier version may have memories, and is not changed.
    if (applied.length > 0 && applied.length < Object.keys(dialect.migrations).length)
      throw new StoreRefusedError('too-old');
    await actAs(EVERYONE, () => migrateSchema(store.db, dialect));
    return { dialect, store };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Copies all rows of a store into an empty one, compares both, and marks the source as moved. A move that was stopped
 * continues. Throws {@link CopyDiffersError}; the next move then begins again.
 */
export function moveStore(
  source: MoveSide<SourceStore>,
  target: MoveSide<TargetStore>,
  options: MoveOptions = {},
): Promise<Moved> {
  return actAs(EVERYONE, () => moveRows(source, target, options));
}

async function moveRows(
  { dialect: from, store: source }: MoveSide<SourceStore>,
  { dialect: to, store: target }: MoveSide<TargetStore>,
  { signal, onProgress = () => {} }: MoveOptions,
): Promise<Moved> {
  if (source.location === target.location) throw new StoreRefusedError('same-store');
  const newest = await newestChange(source.db);
  await prepareTarget(to, target, { other: source.location, newest });
  const context: CopyContext = { source, from, to };
  const tables = (await canCopyChanges(context))
    ? movedTables
    : movedTables.filter(({ name }) => name !== 'index_changes');
  const rows: Record<string, number> = {};
  for (const { name } of tables) rows[name] = await countRows(source.db, name);
  const whole = 2 * Object.values(rows).reduce((sum, count) => sum + count, 0);
  let done = 0;
  const advance = async (count: number, table: string) => {
    done += count;
    onProgress(done, whole, table);
    // Statements of SQLite block the thread, which has to notice a signal.
    await setImmediate();
    if (signal?.aborted) throw new RecollectError('UNAVAILABLE', 'Stopped. The source was not changed.');
  };

  for (const table of tables)
    await copyTable(context, target.db, table, rows[table.name] ?? 0, (count) => advance(count, table.name));
  await target.db.transaction().execute((trx) => to.moving.continueNumbers(trx, newest));
  try {
    for (const table of tables) await compareTable(context, target.db, table, (count) => advance(count, table.name));
  } catch (error) {
    if (error instanceof CopyDiffersError)
      await target.writeMark({ state: 'unfinished', other: source.location, newest, isFaulty: true });
    throw error;
  }
  // A crash between the two leaves two stores that are both whole.
  await target.writeMark(null);
  await source.writeMark({ state: 'moved', other: target.location, at: new Date().toISOString() });
  return { rows, location: target.location };
}

/** Makes the target ready for rows: empty, or as a move of the same source has left it. */
async function prepareTarget(
  dialect: StorageDialect,
  target: TargetStore,
  { other, newest }: { other: string; newest: number },
): Promise<void> {
  const mark = await target.readMark();
  if (mark !== null && (mark.state === 'moved' || mark.other !== other))
    throw new StoreRefusedError(mark.state, { other: mark.other });
  if (mark?.state === 'unfinished' && mark.newest === newest && mark.isFaulty !== true) return;
  if (mark === null && (await hasContent(target.db))) throw new StoreRefusedError('not-empty');
  await target.writeMark({ state: 'unfinished', other, newest, isFaulty: true });
  await target.empty();
  await migrateSchema(target.db, dialect);
  await target.writeMark({ state: 'unfinished', other, newest });
}

/** Tables with what people have put into a store. A server that starts writes rows of other tables. */
const CONTENT = ['memories', 'pictures', 'api_keys', 'saved_searches', 'plugin_installations'] as const;

async function hasContent(db: Kysely<Tables>): Promise<boolean> {
  for (const name of CONTENT)
    if ((await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)).rows.length > 0) return true;
  return (await countRows(db, 'users')) > 1;
}

/** The highest number of the change sequence. */
async function newestChange(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ newest: number }>`
    select coalesce(max(sequence), 0) as newest from index_changes`.execute(db);
  return rows[0]?.newest ?? 0;
}

/**
 * Whether the target can have the numbers of changes that the source has. Where each user has their own, two users have
 * the same, so that clients of a target that numbers all in a row load anew.
 */
async function canCopyChanges({ source, from, to }: CopyContext): Promise<boolean> {
  if (from.sql.changeNumbers === 'store' || to.sql.changeNumbers === 'user') return true;
  const users = await source.db.selectFrom('index_changes').select('user_id').distinct().limit(2).execute();
  return users.length < 2;
}

async function copyTable(
  context: CopyContext,
  target: Kysely<Tables>,
  table: NamedTable,
  count: number,
  advance: (count: number) => Promise<void>,
): Promise<void> {
  const { name } = table;
  let last = name === 'users' ? null : await readLast(target, table);
  if (last !== null) await advance(Math.min(count, await countRows(target, name)));
  for (;;) {
    const rows = await readBatch(context.source.db, table, last);
    if (rows.length === 0) return;
    await target
      .transaction()
      .execute((trx) => copyRows(context, trx, name, rows))
      .catch((error) => Promise.reject(namedFault(error, name)));
    last = rows.at(-1) ?? null;
    await advance(rows.length);
  }
}

/** Names the table of an error that no dialect explains, such as a character that the target cannot store. */
function namedFault(error: unknown, name: string): unknown {
  if (error instanceof RecollectError || error instanceof StoreRefusedError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new RecollectError('UNAVAILABLE', `The target rejected rows of the table ${name}: ${reason}`, {
    cause: error,
  });
}

async function compareTable(
  context: CopyContext,
  target: Kysely<Tables>,
  table: NamedTable,
  advance: (count: number) => Promise<void>,
): Promise<void> {
  let last: Row | null = null;
  for (;;) {
    const [rows, copies]: [Row[], Row[]] = await Promise.all([
      readBatch(context.source.db, table, last),
      readBatch(target, table, last),
    ]);
    compareRows(context, table, rows, copies);
    if (rows.length === 0) return;
    last = rows.at(-1) ?? null;
    await advance(rows.length);
  }
}
