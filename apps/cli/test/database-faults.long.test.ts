import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { programs } from '../../../packages/storage/test/postgres/find-server.js';
import {
  giveToAccount,
  type Postgres,
  queryRows,
  startPostgres,
  takeConnections,
} from '../../../packages/storage/test/postgres/start-postgres.js';
import { startProxy } from '../../../packages/storage/test/postgres/start-proxy.js';
import { ask, capture } from './ask.js';
import { startCaptureLoad } from './capture-load.js';
import { type Cli, createCli } from './run-cli.js';
import { canMount, mountSmallDisk } from './small-disk.js';

/** Kills of the database, while captures arrive. */
const KILLS = 3;

describe.skipIf(programs === null)('faults of a database (needs RECOLLECT_TEST_POSTGRES_BIN: CONTRIBUTING.md)', () => {
  let database: Postgres;
  let cli: Cli;
  let env: { RECOLLECT_DATABASE_URL: string };
  beforeEach(async () => {
    database = await startPostgres(programs ?? '', { settings: '-c max_connections=25' });
    cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_RATE_LIMIT: 'off' });
    env = { RECOLLECT_DATABASE_URL: database.url };
  }, 60_000);
  afterEach(async () => {
    await cli.remove();
    database.remove();
  });

  const titles = async (url = database.url) =>
    (await queryRows<{ title: string }>(url, 'select title from memories')).map(({ title }) => title).sort();

  test('REL-22: kill -9 of the database during captures loses no answered capture', async () => {
    const server = await cli.serve(env);
    const load = startCaptureLoad({ addresses: () => [server.address], senders: 6 });
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = load.answered.length;
      await expect.poll(() => load.answered.length).toBeGreaterThan(before + 50);
      await database.kill();
      await expect.poll(async () => (await ask(server.address, 'GET', '/readyz')).status).toBe(503);
      expect((await ask(server.address, 'GET', '/healthz')).status).toBe(200);
      expect(await ask(server.address, 'GET', '/api/v1/memories')).toMatchObject({
        status: 503,
        body: {
          code: 'UNAVAILABLE',
          detail: expect.stringMatching(/^The database server .*\. Try again in a moment\.$/),
        },
      });
      database.start();
      await expect.poll(async () => (await ask(server.address, 'GET', '/readyz')).status).toBe(200);
    }
    await load.stop();
    expect(
      Object.keys(load.failures).filter((reason) => !/^503 UNAVAILABLE|^500 OUTCOME_UNKNOWN/.test(reason)),
    ).toEqual([]);
    expect(load.withoutRetry).toEqual([]);
    expect(await titles()).toEqual([...load.answered].sort());
    console.log(`${KILLS} kills: ${load.answered.length} answered, ${JSON.stringify(load.failures)}`);
    expect(await server.stop()).toBe(0);
  });

  test.skipIf(!canMount())('REL-22: on a full disk of the database, changes return 507 and reading works', async () => {
    const disk = mountSmallDisk(40);
    if (disk === null) throw new Error('The disk was not mounted.');
    try {
      giveToAccount(disk.folder);
      await queryRows(database.url, `create tablespace small location '${disk.folder}'`);
      await queryRows(database.url, 'create database filled tablespace small');
      const url = database.url.replace(/postgres$/, 'filled');
      const server = await cli.serve({ RECOLLECT_DATABASE_URL: url });
      expect((await capture(server.address, 'Bees dance.')).status).toBe(200);
      disk.fill();
      let saved = 1;
      const text = 'All work and no play makes Jack a dull boy. '.repeat(2_000);
      let answer = await capture(server.address, `${text} 0`);
      for (let count = 1; answer.status === 200; count++) {
        saved += 1;
        answer = await capture(server.address, `${text} ${count}`);
      }
      expect(answer).toMatchObject({
        status: 507,
        body: { code: 'STORE_FULL', detail: expect.stringContaining('The database server has no space left') },
      });
      expect((await ask(server.address, 'GET', '/api/v1/memories')).body.memories.length).toBeGreaterThan(0);
      expect((await titles(url)).length).toBe(saved);
      disk.free();
      await expect.poll(async () => (await capture(server.address, 'Free again.')).status).toBe(200);
      expect(await server.stop()).toBe(0);
    } finally {
      database.remove();
      disk.remove();
    }
  });

  test('REL-22: works over a slow network, and says that the database has no free connection', async () => {
    const proxy = await startProxy(database.port);
    const url = database.url.replace(`:${database.port}`, `:${proxy.port}`);
    const server = await cli.serve({ RECOLLECT_DATABASE_URL: url });
    proxy.delay(100);
    expect((await capture(server.address, 'Slow bees dance.')).status).toBe(200);
    expect(await ask(server.address, 'POST', '/api/v1/capture/query', { query: 'dance' })).toMatchObject({
      status: 200,
      body: { results: [expect.anything()] },
    });
    proxy.delay(0);
    // The server closes its own connections when it has not used them for a while.
    const taken: (() => Promise<void>)[] = [];
    await expect
      .poll(async () => {
        taken.push(await takeConnections(database.url));
        const { status, body } = await capture(server.address, 'No room.');
        return [status, body.detail];
      })
      .toEqual([503, 'The database server has no free connection. Try again in a moment.']);
    await Promise.all(taken.map((free) => free()));
    await expect.poll(async () => (await capture(server.address, 'Room again.')).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await proxy.close();
  });

  test('REL-22: refuses a schema of a newer version, and changes nothing', async () => {
    const first = await cli.serve(env);
    expect(await first.stop()).toBe(0);
    await queryRows(database.url, `insert into kysely_migration values ('9999-later', '2030-01-01')`);
    const { code, err } = await cli.run(['serve'], { env, isRejected: true });
    expect([code, err]).toEqual([78, expect.stringContaining('written by a newer version of Recollect')]);
    expect(await titles()).toEqual([]);
  });
});
