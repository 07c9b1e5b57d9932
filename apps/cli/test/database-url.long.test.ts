import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findServer, hasServer, type TestServer } from '../../../packages/storage/test/postgres/find-server.js';
import { type Cli, createCli } from './run-cli.js';

describe.skipIf(!hasServer)('a store in PostgreSQL (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let server: TestServer;
  let first: Cli;
  let second: Cli;
  beforeAll(async () => {
    server = await findServer();
  }, 60_000);
  afterAll(() => server.stop());
  beforeEach(async () => {
    const environment = { RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_DATABASE_URL: await server.createDatabase() };
    first = await createCli(environment);
    second = await createCli(environment);
  });
  afterEach(async () => {
    await first.remove();
    await second.remove();
  });

  test('IDX-6: a new database gets a model for the language of the system, which is kept', async () => {
    const choice = join(first.folder, 'data', 'model.json');
    await first.run(['status', '--direct'], { env: { LC_ALL: 'ja_JP.UTF-8' } });
    expect(JSON.parse(await readFile(choice, 'utf8'))).toEqual({ model: 'multilingual' });
    await second.run(['status', '--direct'], { env: { LC_ALL: 'ja_JP.UTF-8' } });
    await expect(readFile(join(second.folder, 'data', 'model.json'))).rejects.toThrow('ENOENT');
  });

  test('REL-13: two machines share a store, and a server and commands work on it', async () => {
    const serving = first.start(['serve']);
    if (serving.stdout === null) throw new Error('The output is not a pipe.');
    let shown = '';
    for await (const part of serving.stdout) {
      shown += String(part);
      if (shown.includes('Ctrl-C')) break;
    }
    expect(shown).toMatch(/Your memories are in postgres:\/\/127\.0\.0\.1:\d+\/recollect_test_/);
    expect(shown).not.toContain('of-tests');
    const { code, out } = await second.run(['capture', '-', '--direct'], { input: 'Bees dance to show the way.' });
    expect([code, out]).toEqual([0, expect.stringContaining('Saved')]);
    const found = await first.run(['search', 'dance']);
    expect(found.out).toContain('Bees dance to show the way.');
    expect((await first.run(['status'])).out).toMatch(/server: +running at http/);
    const exited = once(serving, 'exit');
    serving.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
    expect((await second.run(['recent', '--direct'])).out).toContain('Bees dance');
  });
});
