import { setTimeout } from 'node:timers/promises';
import { RecollectError } from '@recollect/core';
import { type Kysely, sql } from 'kysely';
import { insertRows } from '../move/insert-rows.js';
import type { Moving } from '../move/moving.js';
import { StoreRefusedError } from '../store-refused-error.js';
import { type Tables, tableNames } from '../tables.js';
import type { OpenConnections, OpenDatabase } from './connections.js';
import { explainFault } from './explain-fault.js';
import { MOVE_LOCK, readDatabaseMark, refuseMarkedDatabase, writeDatabaseMark } from './store-mark.js';

/** Tables that only this dialect has. */
const OWN_TABLES = ['chunk_text', 'comment_text', 'text_counts', 'lexeme_counts', 'lexeme_changes', 'change_counters'];

const overriding = sql`overriding system value`;

/** Moving a store from or to a database. */
export function createMoving(open: OpenConnections): Moving {
  return {
    async openSource(url, options) {
      const database = await open(url, options);
      return orClose(database, async () => {
        // One connection, so that all others belong to other processes.
        await refuseMarkedDatabase(database.writer);
        const trx = await lockSource(database);
        return {
          db: trx,
          location: database.location,
          async writeMark(mark) {
            await writeDatabaseMark(trx, mark);
            await trx.commit().execute();
          },
          async close() {
            if (!trx.isCommitted) await trx.rollback().execute();
            await database.close();
          },
        };
      });
    },

    async openTarget(url, options) {
      const database = await open(url, options);
      const { writer, location, close } = database;
      return orClose(database, async () => {
        await refuseOthers(writer);
        return {
          db: writer,
          location,
          readMark: () => readDatabaseMark(writer),
          writeMark: (mark) => writeDatabaseMark(writer, mark),
          async empty() {
            const names = [...tableNames, ...OWN_TABLES].map((name) => sql.table(name));
            await sql`truncate ${sql.join(names)} restart identity cascade`.execute(writer);
          },
          close,
        };
      });
    },

    toVector: (stored) => Float32Array.from(JSON.parse(String(stored)) as number[]),

    async insert(trx, table, rows) {
      if (table !== 'index_changes') return insertRows(trx, table, rows, overriding);
      // The trigger would give other numbers.
      await sql`alter table index_changes disable trigger number_change`.execute(trx);
      await insertRows(trx, table, rows);
      await sql`alter table index_changes enable trigger number_change`.execute(trx);
    },

    async continueNumbers(trx, newest) {
      const { rows } = await sql<{ name: string; column: string }>`
        select table_name as name, column_name as "column" from information_schema.columns
        where table_schema = current_schema() and is_identity = 'YES'`.execute(trx);
      for (const { name, column } of rows)
        await sql`select setval(pg_get_serial_sequence(${name}, ${column}),
          coalesce(max(${sql.ref(column)}), 1), max(${sql.ref(column)}) is not null) from ${sql.table(name)}`.execute(
          trx,
        );
      await sql`insert into change_counters (user_id, last)
        select id, ${newest}::bigint from users union select distinct user_id, ${newest}::bigint from memories
        on conflict (user_id) do update set last = greatest(change_counters.last, excluded.last)`.execute(trx);
    },
  };
}

/** Begins a transaction that sees one state of all tables, and in which no other one can change them. */
async function lockSource({ writer }: OpenDatabase) {
  await refuseOthers(writer);
  const trx = await writer.startTransaction().setIsolationLevel('repeatable read').execute();
  try {
    await sql`set local lock_timeout = '10s'`.execute(trx);
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await sql`set local ${sql.id(name)} = 0`.execute(trx);
    // Before the first query, which decides what the transaction sees.
    await sql`lock table ${sql.join(tableNames.map((name) => sql.table(name)))} in share mode`.execute(trx);
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_xact_lock(${MOVE_LOCK}) as "isFree"`.execute(trx);
    if (rows[0]?.isFree === false) throw new RecollectError('STORE_BUSY', 'Another process moves this store.');
    return trx;
  } catch (error) {
    await trx.rollback().execute();
    throw explainFault(error);
  }
}

/** Looks at the connections of a database, and milliseconds between two: a closed one stays in the list for a while. */
const LOOKS = { count: 10, pause: 100 };

/** Throws {@link StoreRefusedError} while another process of Recollect is connected to the database. */
async function refuseOthers(db: Kysely<Tables>): Promise<void> {
  for (let look = 1; look <= LOOKS.count; look++) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and application_name = 'recollect' and pid <> pg_backend_pid() limit 1`.execute(db);
    if (rows.length === 0) return;
    await setTimeout(LOOKS.pause);
  }
  throw new StoreRefusedError('in-use');
}

async function orClose<Store>(database: OpenDatabase, work: () => Promise<Store>): Promise<Store> {
  try {
    return await work();
  } catch (error) {
    await database.close().catch(() => {});
    throw error;
  }
}
