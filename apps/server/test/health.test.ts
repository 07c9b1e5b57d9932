import { createCore, RecollectError } from '@recollect/core';
import { startServer } from '@recollect/server';
import { defaultPolicy } from '@recollect/server/access-policy';
import { openStorage } from '@recollect/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';

let isAway = false;
let storage: Awaited<ReturnType<typeof openStorage>>;
let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  server = await startServer({
    core: createCore(storage),
    policy: defaultPolicy,
    port: 0,
    version: '0.1.0-test',
    check: async () => {
      if (isAway) throw new RecollectError('UNAVAILABLE', 'The database is away.', { retryAfter: 5 });
    },
    checkHere: async () => {},
    runners: false,
    openclawHosts: [],
    mcp: false,
    metrics: false,
  });
});
afterAll(async () => {
  await server.close();
  await storage.close();
});

test('SYS-1, REL-22: a server without its database is alive, and not ready', async () => {
  const ask = async (path: string) => {
    const response = await fetch(server.address + path);
    return [
      response.status,
      response.headers.get('retry-after'),
      ((await response.json()) as { detail: string }).detail,
    ];
  };
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([
    [200, null, undefined],
    [200, null, undefined],
  ]);
  isAway = true;
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([
    [200, null, undefined],
    [503, '5', 'The database is away.'],
  ]);
  // A probe fills no log.
  expect(await storage.errorLog.latest(10)).toEqual([]);
});
