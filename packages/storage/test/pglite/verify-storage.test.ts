import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { LOCAL_USER } from '@recollect/core';
import { verifyStorage } from '@recollect/core/testing';
import { COORDINATOR_TABLES, COPIED_TABLES, EVERYONE, openStorage } from '@recollect/storage';
import { afterAll, describe, expect, test } from 'vitest';
import { fillStore } from '../move/fill-store.js';
import { exportsOf, move, rowsAfterMove, rowsOf } from '../move/move.js';
import { findUnscoped, parseStatement } from '../statements/find-unscoped.js';
import { connectingTables, referenceTables } from '../statements/reference-tables.js';
import { createPGliteDialect } from './dialect.js';

describe('PostgreSQL in this process', () => {
  const pglite = new PGlite({ extensions: { vector } });
  const statements = new Set<string>();
  const dialect = createPGliteDialect(pglite, { onStatement: (statement) => statements.add(statement) });
  afterAll(() => pglite.close());
  verifyStorage(test, () => openStorage({ url: 'pglite:', dialect }));

  test('SEC-20: each table of a statement is limited to the user', () => {
    const unscoped = [...statements].flatMap((statement) =>
      findUnscoped(parseStatement(statement))
        .filter(({ table }) => !Object.hasOwn({ ...referenceTables, ...connectingTables }, table))
        .map(({ table }) => ({ table, statement })),
    );
    expect(unscoped).toEqual([]);
    expect(statements.size).toBeGreaterThan(400);
  });

  test('SEC-20: keys of users contain the user, and the policies of no table are missing', async () => {
    await (await openStorage({ url: 'pglite:', dialect })).close();
    const { rows } = await pglite.query<{ table: string; lacks: string }>(LACKING);
    const lacking = rows.filter(({ table }) => !Object.hasOwn(referenceTables, table));
    expect(lacking).toEqual([]);
    expect(rows).toContainEqual({ table: 'web_sessions', lacks: 'web_sessions_hash_key' });
  });

  test('CLI-15: in a cluster, no table refers to one that is on fewer machines', async () => {
    await (await openStorage({ url: 'pglite:', dialect })).close();
    expect([...COPIED_TABLES, ...COORDINATOR_TABLES].toSorted()).toEqual(Object.keys(referenceTables).toSorted());
    const { rows } = await pglite.query<{ from: string; to: string }>(
      'select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint where contype = \'f\'',
    );
    const reachOf = (table: string) =>
      (COORDINATOR_TABLES as readonly string[]).includes(table)
        ? 0
        : (COPIED_TABLES as readonly string[]).includes(table)
          ? 2
          : 1;
    expect(rows.filter(({ from, to }) => reachOf(from) > reachOf(to))).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
  });

  test('SEC-21: row-level security hides and keeps the rows of others from a statement without a user', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
    const file = join(folder, 'filled.db');
    const database = { url: 'pglite:', dialect: createPGliteDialect(pglite, { isKept: true }) };
    await (await openStorage({ url: 'pglite:', dialect })).close();
    await fillStore(file);
    await move({ url: `sqlite:${file}` }, database);
    // Counts are summed up while a server is idle.
    await pglite.exec(`select set_config('recollect.user', '*', false);
      insert into lexeme_counts (user_id, lexeme, rows) values ('local', 'bee', 1)`);
    const { rows: tables } = await pglite.query<{ name: string }>(WITH_USER);
    const countsAs = async (userId: string) => {
      const counts: Record<string, number[]> = {};
      await pglite.query("select set_config('recollect.user', $1, false)", [userId]);
      for (const { name } of tables) {
        await pglite.exec('begin');
        const selected = await pglite.query(`select user_id from ${name}`);
        const updated = await pglite.query(`update ${name} set user_id = user_id`);
        await pglite.exec('rollback; begin');
        const removed = await pglite.query(`delete from ${name}`).catch(() => ({ affectedRows: -1 }));
        await pglite.exec('rollback');
        counts[name] = [selected.rows.length, updated.affectedRows ?? 0, removed.affectedRows ?? 0];
      }
      return counts;
    };
    const all = await countsAs(EVERYONE);
    expect(Object.entries(all).filter(([, [selected, updated]]) => selected === 0 || updated === 0)).toEqual([]);
    const { chunk_text, comment_text, ...hidden } = await countsAs('eve');
    expect(new Set(Object.values(hidden).flat())).toEqual(new Set([0]));
    // Their rows can be selected, so that searches use their indexes.
    expect([chunk_text?.slice(1), comment_text?.slice(1)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const insertion = pglite.query("insert into words (user_id, word) values ('local', 'x')");
    await expect(insertion).rejects.toThrow('row-level security');
    await pglite.exec('drop table if exists store_mark');
    await rm(folder, { recursive: true });
  });

  test('CLI-13: moves each row of a file to PostgreSQL and back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
    const [first, second] = [join(folder, 'first.db'), join(folder, 'second.db')];
    const database = { url: 'pglite:', dialect: createPGliteDialect(pglite, { isKept: true }) };
    await (await openStorage({ url: 'pglite:', dialect })).close();
    await fillStore(first);
    const before = rowsOf(first);
    expect(Object.keys(before).filter((name) => before[name]?.length === 0)).toEqual([]);
    const exported = await exportsOf({ url: `sqlite:${first}` });

    const { rows } = await move({ url: `sqlite:${first}` }, database);
    expect(rows).toMatchObject({ memories: before.memories?.length, embeddings: before.embeddings?.length });
    expect(await exportsOf(database)).toEqual(exported);
    const storage = await openStorage({ url: 'pglite:', dialect: database.dialect });
    const query = { terms: [['steeped']], prefix: null };
    const { hits } = await storage.textIndex.search(LOCAL_USER, query, { limit: 50, filter: {} });
    expect(new Set(hits.map(({ memoryId }) => memoryId)).size).toBe(4);

    await move(database, { url: `sqlite:${second}` });
    // Each person has their own numbers of changes in PostgreSQL, so clients of the file load anew.
    expect(rowsOf(second)).toEqual({ ...rowsAfterMove(before), index_changes: [] });
    expect(await exportsOf({ url: `sqlite:${second}` })).toEqual(exported);
    await expect(openStorage(database)).rejects.toMatchObject({ refusal: 'moved', other: `sqlite:${second}` });
    await pglite.exec('drop table store_mark');
    await rm(folder, { recursive: true });
  });
});

/** The tables that are limited to users. */
const WITH_USER = `select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and relforcerowsecurity order by relname`;

/** Keys of tables with a user that lack the user, and tables of users without policies. */
const LACKING = `
  with owned as (
    select c.oid, c.relname, c.relforcerowsecurity, a.attnum from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  )
  select o.relname as "table", k.conname as lacks from owned o join pg_constraint k on k.conrelid = o.oid
  where k.contype in ('p', 'u', 'f') and not o.attnum = any(k.conkey)
    and (k.contype <> 'f' or k.confrelid in (select oid from owned))
  union all select relname, 'policies' from owned where not relforcerowsecurity
  union all select indrelid::regclass::text, indexrelid::regclass::text from pg_index join owned on oid = indrelid
  where indisunique and not attnum = any(indkey)`;
