import { createCore } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programs } from './find-server.js';
import { type Postgres, startPostgres } from './start-postgres.js';
import { startProxy } from './start-proxy.js';

/** The address of a database on several servers, or proxies before them. */
function addressOf(first: Postgres, ports: readonly number[]): string {
  return first.url.replace(`127.0.0.1:${first.port}`, ports.map((port) => `127.0.0.1:${port}`).join());
}

describe.skipIf(programs === null)('failover (needs RECOLLECT_TEST_POSTGRES_BIN: CONTRIBUTING.md)', () => {
  let primary: Postgres;
  let standby: Postgres;
  beforeAll(async () => {
    primary = await startPostgres(programs ?? '');
    standby = await primary.startStandby();
  }, 60_000);
  afterAll(() => {
    standby.remove();
    primary.remove();
  });

  test('REL-20: finds the server that accepts changes, and follows it when another one takes over', async () => {
    await expect(openStorage({ url: standby.url })).rejects.toMatchObject({ refusal: 'standby' });
    const proxies = [await startProxy(standby.port), await startProxy(primary.port)] as const;
    const storage = await openStorage({
      url: addressOf(
        primary,
        proxies.map(({ port }) => port),
      ),
    });
    const core = createCore(storage);
    let count = 0;
    const save = () => core.capture('ann', [{ pageText: `text ${++count}` }]);
    const saved = async () => (await storage.inspector.counts('ann')).memories;
    await save();
    const users: string[] = [];
    storage.changes.follow?.((userId) => users.push(userId));
    try {
      // The network of the primary fails: its connections stay open, and nothing arrives.
      proxies[1].stall();
      const waiting = save().then(
        () => null,
        (error: { code: string }) => error.code,
      );
      standby.promote();
      await expect
        .poll(
          () =>
            save().then(
              () => true,
              () => false,
            ),
          { timeout: 60_000 },
        )
        .toBe(true);
      expect(['UNAVAILABLE', 'OUTCOME_UNKNOWN', null]).toContain(await waiting);
      expect(await saved()).toBeGreaterThanOrEqual(2);
      await expect.poll(async () => [await save(), users.length][1], { timeout: 60_000 }).toBeGreaterThan(0);
    } finally {
      await storage.close();
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  });
});
