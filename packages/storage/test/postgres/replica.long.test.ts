import { createCore } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs } from './find-server.js';
import { type Postgres, queryRows, startPostgres } from './start-postgres.js';

describe.skipIf(programs === null)(
  'a replica for searches (needs RECOLLECT_TEST_POSTGRES_BIN: CONTRIBUTING.md)',
  () => {
    let primary: Postgres;
    let replica: Postgres;
    beforeAll(async () => {
      primary = await startPostgres(programs ?? '');
      replica = await primary.startStandby();
    }, 60_000);
    afterAll(() => {
      replica.remove();
      primary.remove();
    });

    test('REL-23: a search finds the last change, wherever it is done', async () => {
      const storage = await openStorage({ url: primary.url, readUrl: replica.url });
      const core = createCore(storage);
      let count = 0;
      const saveAndFind = async () => {
        const word = `bees${++count}x`;
        await core.capture('ann', [{ pageText: `The ${word} dance.` }]);
        return (await core.query('ann', word)).answer.results.length;
      };
      const scans = async () => {
        const statement = "select idx_scan + seq_scan as scans from pg_stat_user_tables where relname = 'chunk_text'";
        return Number((await queryRows<{ scans: string }>(replica.url, statement))[0]?.scans ?? 0);
      };
      try {
        for (let round = 0; round < 30; round++) expect(await saveAndFind()).toBe(1);
        await expect
          .poll(async () => {
            await core.query('ann', 'dance');
            return scans();
          })
          .toBeGreaterThan(0);
        await queryRows(replica.url, 'select pg_wal_replay_pause()');
        for (let round = 0; round < 5; round++) expect(await saveAndFind()).toBe(1);
        await replica.kill();
        for (let round = 0; round < 5; round++) expect(await saveAndFind()).toBe(1);
      } finally {
        await storage.close();
      }
    });
  },
);
