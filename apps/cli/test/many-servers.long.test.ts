import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { openStorage } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findServer, hasServer, type TestServer } from '../../../packages/storage/test/postgres/find-server.js';
import { queryRows } from '../../../packages/storage/test/postgres/start-postgres.js';
import { startCaptureLoad } from './capture-load.js';
import { fixture } from './plugin-cli.js';
import { type Cli, createCli } from './run-cli.js';
import { serveModel } from './serve-model.js';

/** How long it takes, and how often a process is killed: each minute in the long form. */
const MINUTES = Number(process.env.MINUTES ?? 1);
const KILL_EVERY = MINUTES > 1 ? 60_000 : 6_000;

/** Milliseconds in which the workers must have done what is left, on a machine that does other work as well. */
const PATIENCE = 600_000;

/** A server or a worker, which is started again when it was killed, as systemd would do. */
interface Member {
  /** Null for a worker, and while a server starts. */
  address: string | null;
  kill(): Promise<void>;
}

/** A start fails if the database does not answer in time. It is then tried again, as systemd would do. */
async function untilStarted<T>(start: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      console.log(`A start failed: ${(error as Error).message}`);
    }
  }
}

async function keepServing(cli: Cli): Promise<Member> {
  let server = await untilStarted(() => cli.serve());
  const member: Member = {
    address: server.address,
    async kill() {
      member.address = null;
      await server.stop('SIGKILL');
      server = await untilStarted(() => cli.serve());
      member.address = server.address;
    },
  };
  return member;
}

async function keepWorking(cli: Cli): Promise<Member> {
  const start = async () => {
    const worker = cli.start(['work']);
    let errors = '';
    worker.stderr?.on('data', (part) => {
      errors += part;
    });
    const exited = once(worker, 'exit').then(() => {
      throw new Error(errors);
    });
    await Promise.race([once(worker.stdout ?? worker, 'data'), exited]);
    exited.catch(() => {});
    return worker;
  };
  let worker = await untilStarted(start);
  return {
    address: null,
    async kill() {
      worker.kill('SIGKILL');
      worker = await untilStarted(start);
    },
  };
}

describe.skipIf(!hasServer)('several servers and workers (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let database: TestServer;
  let url: string;
  const machines: Cli[] = [];
  const createMachine = async (env: Record<string, string>) => {
    const cli = await createCli({ RECOLLECT_DATABASE_URL: url, RECOLLECT_RATE_LIMIT: 'off', ...env });
    machines.push(cli);
    const install = ['plugins', 'install', '--yes', ...(machines.length > 1 ? ['--replace'] : []), fixture('ledger')];
    // On a busy machine, a plugin may not start within its limit.
    await expect.poll(async () => (await cli.run(install)).code).toBe(0);
    return cli;
  };
  beforeAll(async () => {
    database = await findServer();
    url = await database.createDatabase();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(machines.map((cli) => cli.remove()));
    database.stop();
  });

  test('REL-21, CLI-14: a kill of servers and workers loses no capture and doubles none', {
    timeout: MINUTES * 60_000 + 3 * PATIENCE,
  }, async () => {
    const model = await serveModel();
    const servers: Member[] = [];
    const workers: Member[] = [];
    // Only workers have a model, so that all embeddings are theirs.
    for (let count = 0; count < 2; count++)
      servers.push(await keepServing(await createMachine({ RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_RUNNERS: 'off' })));
    for (let count = 0; count < 3; count++) workers.push(await keepWorking(await createMachine(model.env)));
    const load = startCaptureLoad({
      addresses: () => servers.flatMap(({ address }) => address ?? []),
      senders: 3,
      pause: 100,
    });
    const members = [...servers, ...workers];
    const kills = Math.floor((MINUTES * 60_000) / KILL_EVERY);
    for (let kill = 0; kill < kills; kill++) {
      await setTimeout(KILL_EVERY);
      await members[kill % members.length]?.kill();
    }
    await load.stop();
    const rows = await queryRows<{ title: string }>(url, 'select title from memories where deleted_at is null');
    expect(rows.map(({ title }) => title).sort()).toEqual([...load.answered].sort());
    const storage = await openStorage({ url });
    try {
      const count = async (statement: string) => (await queryRows<{ count: string }>(url, statement))[0]?.count;
      const missing = `select count(*) from chunks c where not exists (
        select 1 from embeddings e where e.user_id = c.user_id and e.chunk_id = c.id)`;
      await expect.poll(() => count(missing), { timeout: PATIENCE }).toBe('0');
      await expect.poll(() => count('select count(*) from plugin_events'), { timeout: PATIENCE }).toBe('0');
      const told = new Map<string, number>();
      for (const key of await storage.pluginState.keys('local', 'ledger', ''))
        for (const entry of Object.entries((await storage.pluginState.get('local', 'ledger', key)) as object))
          told.set(entry[0], entry[1]);
      expect([...told.keys()].sort()).toEqual([...load.answered].sort());
      // An event is delivered again if a worker was killed before it could say that it was.
      const repeated = [...told.values()].filter((times) => times > 1).length;
      expect(repeated).toBeLessThanOrEqual(kills);
      console.log(
        `${kills} kills: ${load.answered.length} answered, ${repeated} events repeated, ${JSON.stringify(load.failures)}`,
      );
    } finally {
      await storage.close();
      model.close();
    }
  });
});
