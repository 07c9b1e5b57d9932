import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseServerUrl } from '../../../packages/storage/src/postgres/server-url.js';
import { programs } from '../../../packages/storage/test/postgres/find-server.js';
import {
  missingForPatroni,
  type PatroniCluster,
  startPatroni,
} from '../../../packages/storage/test/postgres/start-patroni.js';
import { queryRows } from '../../../packages/storage/test/postgres/start-postgres.js';
import { ask } from './ask.js';
import { startCaptureLoad } from './capture-load.js';
import { type Cli, createCli } from './run-cli.js';

const missing = programs === null ? 'RECOLLECT_TEST_POSTGRES_BIN' : missingForPatroni();

describe.skipIf(missing !== null)(`a cluster under Patroni (needs ${missing}: CONTRIBUTING.md)`, () => {
  let cluster: PatroniCluster;
  let cli: Cli;
  beforeAll(async () => {
    cluster = await startPatroni(programs ?? '');
    cli = await createCli({
      RECOLLECT_EMBEDDINGS: 'off',
      RECOLLECT_RATE_LIMIT: 'off',
      RECOLLECT_DATABASE_URL: cluster.url,
    });
  }, 240_000);
  afterAll(async () => {
    await cli.remove();
    await cluster.stop();
  });

  const titlesOnPrimary = async () => {
    for (const url of parseServerUrl(cluster.url).hosts) {
      const [state] = await queryRows<{ isStandby: boolean }>(url, 'select pg_is_in_recovery() as "isStandby"');
      if (state?.isStandby) continue;
      return (await queryRows<{ title: string }>(url, 'select title from memories')).map(({ title }) => title).sort();
    }
    return null;
  };

  test('REL-20, REL-22: a killed leader loses no answered capture, and the server follows the next one', async () => {
    const server = await cli.serve();
    const load = startCaptureLoad({ addresses: () => [server.address], senders: 4 });
    for (let kill = 0; kill < 2; kill++) {
      const before = load.answered.length;
      await expect.poll(() => load.answered.length).toBeGreaterThan(before + 50);
      await cluster.killLeader();
      const atKill = load.answered.length;
      const killedAt = performance.now();
      await expect.poll(async () => (await ask(server.address, 'GET', '/readyz')).status, { interval: 20 }).toBe(503);
      await expect.poll(() => load.answered.length, { timeout: 120_000 }).toBeGreaterThan(atKill + 20);
      console.log(`captures again ${((performance.now() - killedAt) / 1_000).toFixed(1)} s after the kill`);
      await cluster.restart();
    }
    await load.stop();
    const reasons = Object.keys(load.failures);
    expect(reasons.filter((reason) => !/^503 UNAVAILABLE|^500 OUTCOME_UNKNOWN/.test(reason))).toEqual([]);
    expect(load.withoutRetry).toEqual([]);
    expect(await titlesOnPrimary()).toEqual([...load.answered].sort());
    console.log(`${load.answered.length} answered, ${JSON.stringify(load.failures)}`);
    expect(await server.stop()).toBe(0);
  });
});
