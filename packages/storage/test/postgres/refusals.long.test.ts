import { openStorage, type Refusal, StoreRefusedError } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServer, hasServer, type TestServer } from './find-server.js';
import { hasPooler, startPooler } from './pooler.js';

/** Why a store is refused; null if it opens. */
async function refusalOf(url: string): Promise<Refusal | null> {
  try {
    await (await openStorage({ url })).close();
    return null;
  } catch (error) {
    if (error instanceof StoreRefusedError) return error.refusal;
    throw error;
  }
}

function changed(url: string, change: (parts: URL) => void): string {
  const parts = new URL(url);
  change(parts);
  return parts.href;
}

describe.skipIf(!hasServer)(
  'a database that cannot be used (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)',
  () => {
    let server: TestServer;
    let url: string;
    beforeAll(async () => {
      server = await findServer();
      url = await server.createDatabase();
    }, 60_000);
    afterAll(() => server.stop());

    test('REL-13: says what is wrong with the address, the name and the password', async () => {
      expect(await refusalOf(changed(url, (parts) => (parts.port = '1')))).toBe('unreachable');
      expect(await refusalOf(changed(url, (parts) => (parts.pathname = 'none')))).toBe('no-database');
      expect(await refusalOf(changed(url, (parts) => (parts.password = 'wrong')))).toBe('login');
      expect(await refusalOf(changed(url, (parts) => parts.searchParams.set('sslmode', 'verify-full')))).toBe('no-tls');
    });

    test("REL-13: refuses a schema with another program's tables, and changes nothing", async () => {
      const other = await server.createDatabase();
      await server.run('create table customers (id integer)', other);
      expect(await refusalOf(other)).toBe('foreign-tables');
      await server.run('drop table customers', other);
      expect(await refusalOf(other)).toBeNull();
      await server.run("update pg_extension set extversion = '0.8.3' where extname = 'vector'", other);
      expect(await refusalOf(other)).toBe('pgvector-too-old');
      await server.run("update pg_extension set extversion = '0.10.0' where extname = 'vector'", other);
      expect(await refusalOf(other)).toBeNull();
    });

    test('REL-13: says that the account may not add the extension or tables', async () => {
      const own = await server.createDatabase({ hasExtension: false });
      await server.run('drop role if exists guest_of_tests');
      await server.run("create role guest_of_tests login password 'guest'");
      const guest = changed(own, (parts) => {
        parts.username = 'guest_of_tests';
        parts.password = 'guest';
      });
      expect(await refusalOf(guest)).toBe('no-right');
      await server.run('create extension vector', own);
      expect(await refusalOf(guest)).toBe('no-right');
      await server.run('drop role guest_of_tests');
    });

    test('REL-13: refuses a server that is too old, another encoding, and a server without pgvector', async () => {
      const old = await server.createDatabase();
      await server.run(
        `create schema stand_in; grant usage on schema stand_in to public; create function stand_in.current_setting(name text) returns text language sql as
          $$ select case name when 'server_version_num' then '140012' else pg_catalog.current_setting(name) end $$`,
        old,
      );
      const withOptions = (place: string, options: string) =>
        changed(place, (parts) => parts.searchParams.set('options', options));
      expect(await refusalOf(withOptions(old, '-c search_path=stand_in,pg_catalog'))).toBe('server-too-old');
      await server.run('drop database if exists ascii_of_tests');
      await server.run("create database ascii_of_tests encoding 'SQL_ASCII' template template0 locale 'C'");
      expect(await refusalOf(changed(url, (parts) => (parts.pathname = 'ascii_of_tests')))).toBe('server-encoding');
      await server.run('drop database ascii_of_tests with (force)');
      if (!(await server.isAtLeast(18))) return;
      const bare = await server.createDatabase({ hasExtension: false });
      await server.run(`alter database ${new URL(bare).pathname.slice(1)} set extension_control_path = '/none'`);
      expect(await refusalOf(bare)).toBe('no-pgvector');
    });

    test('REL-13: refuses a store of a newer version, and an account without a connection left', async () => {
      const newer = await server.createDatabase();
      expect(await refusalOf(newer)).toBeNull();
      await server.run("insert into kysely_migration values ('9999-later', '2030-01-01')", newer);
      expect(await refusalOf(newer)).toBe('too-new');
      await server.run("create role lone_of_tests login password 'lone' connection limit 0");
      const lone = changed(url, (parts) => {
        parts.username = 'lone_of_tests';
        parts.password = 'lone';
      });
      expect(await refusalOf(lone)).toBe('no-connection');
      await server.run('drop role lone_of_tests');
    });

    test.skipIf(!hasPooler)(
      'REL-13: refuses a pooler that shares connections, and works behind another one',
      async () => {
        const behind = await server.createDatabase();
        for (const [mode, refusal] of [
          ['transaction', 'pooler'],
          ['session', null],
        ] as const) {
          const pooler = await startPooler(behind, mode);
          try {
            expect(await refusalOf(pooler.url)).toBe(refusal);
          } finally {
            pooler.stop();
          }
        }
      },
    );

    test('REL-13: a store works again after the server has ended its connections', async () => {
      const storage = await openStorage({ url: await server.createDatabase() });
      try {
        await storage.check();
        await server.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'recollect'");
        await storage.check().catch((error) => expect(error).toMatchObject({ code: 'UNAVAILABLE' }));
        await expect.poll(() => storage.check().then(() => true)).toBe(true);
      } finally {
        await storage.close();
      }
    });
  },
);
