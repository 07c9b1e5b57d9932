import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

/** Nothing listens on this port. */
const URL_OF_NOTHING = 'postgres://ann:secret@127.0.0.1:1/recollect';

test('REL-13: rejects an address that names no database, without its password', async () => {
  for (const url of ['mysql://ann:secret@host/db', 'postgres://ann:secret@host', 'postgres:ann:secret', 'secret']) {
    const { code, err } = await cli.run(['status'], { env: { RECOLLECT_DATABASE_URL: url } });
    expect([code, err]).toEqual([78, expect.stringContaining('RECOLLECT_DATABASE_URL must be postgres://')]);
    expect(err).not.toContain('secret');
  }
});

test('REL-13: says that a server cannot be reached, and what to set', async () => {
  const { code, err } = await cli.run(['status', '--direct'], { env: { RECOLLECT_DATABASE_URL: URL_OF_NOTHING } });
  expect(code).toBe(78);
  expect(err).toMatch(/database server cannot be reached.*RECOLLECT_DATABASE_URL/);
  expect(err).not.toContain('secret');
});

test('REL-20: names several hosts, and says that none can be reached', async () => {
  const url = 'postgres://ann:secret@127.0.0.1:1,[::1]:2/recollect?target_session_attrs=read-write';
  const { code, err } = await cli.run(['status', '--direct'], { env: { RECOLLECT_DATABASE_URL: url } });
  expect([code, err]).toEqual([78, expect.stringContaining('The database server cannot be reached.')]);
  for (const wrong of [url.replace('read-write', 'standby'), url.replace('[::1]', ':')]) {
    const rejected = await cli.run(['status'], { env: { RECOLLECT_DATABASE_URL: wrong } });
    expect([rejected.code, rejected.err]).toEqual([78, expect.stringContaining('must be postgres://')]);
    expect(rejected.err).not.toContain('secret');
  }
});

test('REL-23: rejects a replica of a file, without its password', async () => {
  for (const more of [{}, { RECOLLECT_DATABASE_URL: URL_OF_NOTHING }]) {
    const replica = 'RECOLLECT_DATABASE_URL' in more ? 'sqlite:/tmp/secret' : URL_OF_NOTHING;
    const { code, err } = await cli.run(['status'], { env: { ...more, RECOLLECT_DATABASE_READ_URL: replica } });
    expect([code, err]).toEqual([78, expect.stringContaining('RECOLLECT_DATABASE_READ_URL must be postgres://')]);
    expect(err).not.toContain('secret');
  }
});

test('REL-15: leaves backups, restores and repairs of a database to its operator', async () => {
  const commands: [args: string[], command: string][] = [
    [['backup'], 'pg_dump'],
    [['restore', '--yes'], 'pg_restore'],
    [['doctor', '--salvage', cli.folder], 'recollect export'],
  ];
  for (const [args, command] of commands) {
    const { code, err } = await cli.run(args, { env: { RECOLLECT_DATABASE_URL: URL_OF_NOTHING } });
    expect([args, code, err]).toEqual([args, 78, expect.stringContaining(command)]);
  }
  const { out } = await cli.run(['doctor'], { env: { RECOLLECT_DATABASE_URL: URL_OF_NOTHING } });
  expect(out).toContain('pg_amcheck');
});
