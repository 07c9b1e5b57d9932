import { RecollectError } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { parseMark, refuseMarked, type StoreMark, writeMark } from '../move/store-mark.js';
import type { Tables } from '../tables.js';

/** The key of the lock that a store has while it is moved. Its first part keeps it from being another program's. */
export const MOVE_LOCK = sql`0x7265636f::integer, 0`;

/** The table of one row that a move makes; a store that was never moved has none. */
export const MARK_TABLE = 'store_mark';
const TABLE = sql.table(MARK_TABLE);

/** Throws StoreRefusedError for a store that was moved, or is the unfinished target of a move. */
export async function refuseMarkedDatabase(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock_shared(${MOVE_LOCK}) as "isFree"`.execute(db);
  if (rows[0]?.isFree === false)
    throw new RecollectError('STORE_BUSY', 'The store is being moved. Wait until that has ended.');
  refuseMarked(await readDatabaseMark(db));
}

export async function readDatabaseMark(db: Kysely<Tables>): Promise<StoreMark | null> {
  const { rows: tables } = await sql`
    select 1 from pg_tables where schemaname = current_schema() and tablename = ${MARK_TABLE}`.execute(db);
  if (tables.length === 0) return null;
  const { rows } = await sql<{ mark: string }>`select mark from ${TABLE}`.execute(db);
  return rows[0] === undefined ? null : parseMark(rows[0].mark);
}

/** Writes the mark of a store; null removes it. */
export async function writeDatabaseMark(db: Kysely<Tables>, mark: StoreMark | null): Promise<void> {
  if (mark === null) {
    await sql`drop table if exists ${TABLE}`.execute(db);
    return;
  }
  await sql`create table if not exists ${TABLE} (id integer primary key check (id = 1), mark text not null)`.execute(
    db,
  );
  await sql`insert into ${TABLE} (id, mark) values (1, ${writeMark(mark)})
    on conflict (id) do update set mark = excluded.mark`.execute(db);
}
