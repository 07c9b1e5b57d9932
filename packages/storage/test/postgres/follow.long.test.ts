import { createCore } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServer, hasServer, type TestServer } from './find-server.js';

describe.skipIf(!hasServer)('changes of a database (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await findServer();
  }, 60_000);
  afterAll(() => server.stop());

  test('SYS-5: announces the users of changes to other processes, also after a lost connection', async () => {
    const url = await server.createDatabase();
    const first = await openStorage({ url });
    const second = await openStorage({ url });
    try {
      const users: string[] = [];
      const stop = first.changes.follow?.((userId) => users.push(userId));
      const core = createCore(second);
      let count = 0;
      const save = async (userId: string) => {
        count += 1;
        await core.capture(userId, [{ pageText: `text ${count}` }]);
        return users.at(-1);
      };
      // The connection is made in the background.
      await expect.poll(() => save('ann'), { timeout: 20_000 }).toBe('ann');
      await expect.poll(() => save('bob'), { timeout: 20_000 }).toBe('bob');
      await server.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen recollect_changes'",
      );
      users.length = 0;
      await expect.poll(() => save('ann'), { timeout: 20_000 }).toBe('ann');
      stop?.();
    } finally {
      await first.close();
      await second.close();
    }
  }, 60_000);
});
