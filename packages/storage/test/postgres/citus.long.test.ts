import { verifyStorage } from '@recollect/core/testing';
import { distributeStore, openStorage } from '@recollect/storage';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const url = process.env.RECOLLECT_TEST_CITUS_URL;

describe.skipIf(url === undefined)('PostgreSQL on Citus (needs RECOLLECT_TEST_CITUS_URL: CONTRIBUTING.md)', () => {
  const client = new pg.Client(url);
  beforeAll(async () => {
    await client.connect();
    await client.query('create extension if not exists citus');
    await client.query('create extension if not exists vector');
    const { rows } = await client.query(REMOVAL);
    for (const { statement } of rows) await client.query(statement);
    await distributeStore(url ?? '');
  }, 120_000);
  afterAll(() => client.end());

  verifyStorage(test, async () => {
    const { rows } = await client.query<{ name: string }>(TABLES);
    await client.query(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity cascade`);
    await client.query("delete from users where id <> 'local'");
    return openStorage({ url: url ?? '', readers: 1 });
  });

  test('CLI-15: distributes each table once', async () => {
    expect(await distributeStore(url ?? '')).toEqual({ spread: [], copied: [] });
    const { rows } = await client.query<{ name: string }>(
      "select table_name::text as name from citus_tables where citus_table_type = 'distributed'",
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['chunks', 'embeddings', 'memories']));
  });
});

/** The tables that are emptied before each case. */
const TABLES = `select quote_ident(relname) as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely%'
    and relname <> 'users'`;

/** Statements that remove what an earlier run has left. */
const REMOVAL = `select 'drop table ' || quote_ident(relname) || ' cascade' as statement from pg_class c
  where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  union all select format('drop function %s cascade', p.oid::regprocedure) from pg_proc p
  where pronamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;
