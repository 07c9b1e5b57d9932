import { verifyStorage } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { findServer, hasServer, type TestServer } from './find-server.js';
import { interleave } from './interleave.js';

describe.skipIf(!hasServer)('PostgreSQL on a server (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let server: TestServer;
  let url: string;
  beforeAll(async () => {
    server = await findServer();
    url = await server.createDatabase();
    await (await openStorage({ url })).close();
  }, 60_000);
  afterAll(() => server.stop());

  /** A store with empty tables: making a database takes several times as long. */
  const openEmpty = async (): Promise<Storage> => {
    await server.run(EMPTY, url);
    return openStorage({ url, readers: 1 });
  };
  verifyStorage(test, openEmpty);

  describe('by two processes that take turns', () => {
    verifyStorage(test, async () => {
      const first = await openEmpty();
      return interleave(first, await openStorage({ url, readers: 1 }));
    });
  });
});

/** Empties all tables but the migrator's, and keeps the local user, whom every store has. */
const EMPTY = `do $$ declare names text; begin
  select string_agg(quote_ident(tablename), ', ') into names from pg_tables
    where schemaname = current_schema() and tablename not like 'kysely%' and tablename <> 'users';
  execute 'truncate ' || names || ' restart identity cascade';
  delete from users where id <> 'local';
end $$`;
