import { createCore, type HybridQuery } from '@recollect/core';
import { openStorage, type Storage } from '@recollect/storage';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServer, hasServer, type TestServer } from './find-server.js';

const ANN = 'ann';
const query: HybridQuery = { terms: { terms: [['honey']], prefix: null }, embedded: null };

describe.skipIf(!hasServer)('limits of searches (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let server: TestServer;
  let url: string;
  let storage: Storage;
  beforeAll(async () => {
    server = await findServer();
    url = await server.createDatabase();
    storage = await openStorage({ url });
    await createCore(storage).capture(ANN, [{ pageText: 'Honey of bees.' }]);
  }, 60_000);
  afterAll(async () => {
    await storage.close();
    server.stop();
  });

  /** Runs work while no text can be read, and counts the statements that wait for one. */
  const whileLocked = async (work: (waiting: () => Promise<number>) => Promise<void>) => {
    const other = new pg.Client(url);
    await other.connect();
    await other.query('begin; lock table chunk_text in access exclusive mode');
    try {
      await work(async () => {
        const { rows } = await other.query<{ count: number }>(
          "select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rows[0]?.count ?? 0;
      });
    } finally {
      await other.end();
    }
  };
  const search = (options: { budget?: number; signal?: AbortSignal }) =>
    storage.hybridIndex.search(ANN, query, { limit: 10, filter: {}, ...options });

  test('QRY-21: a search whose time is up answers with its hits so far, and ends its statement', async () => {
    expect(await search({ budget: 50 })).toMatchObject({ hits: [expect.anything()] });
    expect(await search({ budget: 0 })).toMatchObject({ hits: [], isPartial: true });
    await whileLocked(async (waiting) => {
      expect(await search({ budget: 50 })).toMatchObject({ hits: [], isPartial: true });
      expect(await waiting()).toBe(0);
    });
    expect((await search({})).hits).toHaveLength(1);
  });

  test('QRY-21: a search ends in the database when its caller goes away', async () => {
    await whileLocked(async (waiting) => {
      const caller = new AbortController();
      const ended = expect(search({ signal: caller.signal })).rejects.toThrow('aborted');
      await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
      caller.abort();
      await ended;
      expect(await waiting()).toBe(0);
    });
  });
});
