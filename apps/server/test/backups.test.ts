import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock } from '@recollect/core/testing';
import { openBackups } from '@recollect/storage/backups';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.js';

const HOUR = 3_600_000;
const clock = createFakeClock();
let folder: string;
let backupFolder: string;
let server: TestServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-backups-'));
  backupFolder = join(folder, 'backups');
  server = await startTestServer({
    url: `sqlite:${join(folder, 'data', 'recollect.db')}`,
    backupFolder,
    clock,
    metrics: true,
  });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Core with automatic backups, without a server that makes them. */
function openAutomatic() {
  const { storage } = server;
  const copy = storage.copy ?? expect.fail();
  const options = { folder: backupFolder, dataFolder: folder, copy, readPassphrase: null, isAutomatic: true, clock };
  return createCore({ ...storage, clock, backupStore: openBackups(options) });
}

test('BAK-1, BAK-2, SYS-4, SYS-8: makes a checked backup, and lists it with the state', async () => {
  await server.core.capture(LOCAL_USER, [{ pageText: 'Green tea.' }]);
  const empty = await server.client('listBackups', {});
  expect(empty).toMatchObject({ backups: [], state: { folder: backupFolder, isAutomatic: false, last: null } });
  const { status, body: backup } = await server.send('POST', '/api/v1/backups');
  expect(status).toBe(201);
  expect(backup).toMatchObject({ kind: 'manual', memories: 1, isEncrypted: false, isVerified: true });
  expect(Object.keys(backup).sort()).toEqual(
    ['at', 'bytes', 'isEncrypted', 'isVerified', 'kind', 'memories', 'path', 'sha256'].sort(),
  );
  expect(existsSync(backup.path)).toBe(true);
  const { backups, state } = await server.client('listBackups', {});
  expect(backups).toEqual([backup]);
  expect(state?.last).toEqual(backup);
  expect((await server.client('status', {})).backups).toEqual(state);
  const { body: metrics } = await server.send('GET', '/metrics');
  expect(metrics).toContain(`\nrecollect_backup_last_timestamp_seconds ${Date.parse(backup.at) / 1_000}\n`);
  // A file that was changed since is no longer a good backup.
  await writeFile(backup.path, 'cut short');
  expect((await server.client('listBackups', {})).backups).toMatchObject([{ isVerified: false, bytes: 9 }]);
});

test('BAK-7: the owner downloads a backup by its name, and no other file', async () => {
  await server.core.capture(LOCAL_USER, [{ pageText: 'Green tea.' }]);
  const { body: backup } = await server.send('POST', '/api/v1/backups');
  const name = basename(backup.path);
  const response = await fetch(`${server.address}/api/v1/backups/${name}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(await readFile(backup.path));
  for (const other of [`${name}.json`, '..%2Fdata%2Frecollect.db', '%2e%2e', 'x'])
    expect((await server.send('GET', `/api/v1/backups/${other}`)).status).toBe(404);
  const { key } = await server.core.apiKeys.create(LOCAL_USER, { name: 'reader', scopes: ['memory:read'] });
  const headers = { authorization: `Bearer ${key}` };
  expect((await server.send('GET', `/api/v1/backups/${name}`, undefined, headers)).status).toBe(403);
});

test('BAK-1, BAK-2: only the owner may make and list backups', async () => {
  const { key } = await server.core.apiKeys.create(LOCAL_USER, {
    name: 'all',
    scopes: ['memory:read', 'capture:write'],
  });
  const headers = { authorization: `Bearer ${key}` };
  for (const method of ['GET', 'POST'])
    expect((await server.send(method, '/api/v1/backups', undefined, headers)).status).toBe(403);
});

test('BAK-3: makes a daily backup, then hourly ones while memories change, and removes none too early', async () => {
  const core = openAutomatic();
  await core.capture(LOCAL_USER, [{ pageText: 'One.' }]);
  expect(await core.backups.runDue()).toMatchObject({ kind: 'daily', memories: 1 });
  expect(await core.backups.runDue()).toBeNull();
  clock.advance(HOUR);
  // Nothing has changed.
  expect(await core.backups.runDue()).toBeNull();
  await core.capture(LOCAL_USER, [{ pageText: 'Two.' }]);
  const [first, second] = await Promise.all([core.backups.runDue(), core.backups.runDue()]);
  expect(first).toMatchObject({ kind: clock.now().getUTCHours() === 0 ? 'daily' : 'hourly', memories: 2 });
  expect(second).toBeNull();
  clock.advance(24 * HOUR);
  // Keys and plugins may have changed, so a daily one is always made.
  expect(await core.backups.runDue()).toMatchObject({ kind: 'daily' });
  expect((await core.backups.list()).backups.length).toBe(3);
});

test('BAK-3: a backup that fails is shown in the status and retried after a growing delay', async () => {
  const core = openAutomatic();
  await writeFile(backupFolder, 'a file where the folder should be');
  await expect(core.backups.runDue()).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
  const failure = { at: clock.now().toISOString(), attempts: 1 };
  expect((await core.status(LOCAL_USER)).backups?.failure).toMatchObject(failure);
  expect(await core.backups.runDue()).toBeNull();
  clock.advance(60_000);
  await expect(core.backups.runDue()).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
  expect((await core.status(LOCAL_USER)).backups?.failure).toMatchObject({ since: failure.at, attempts: 2 });
  clock.advance(60_000);
  expect(await core.backups.runDue()).toBeNull();
  const manual = await server.send('POST', '/api/v1/backups');
  expect([manual.status, manual.body.code]).toEqual([500, 'BACKUP_FAILED']);
  expect(manual.body.detail).toContain(backupFolder);
  await rm(backupFolder);
  clock.advance(60_000);
  expect(await core.backups.runDue()).toMatchObject({ kind: 'daily' });
  expect((await core.status(LOCAL_USER)).backups?.failure).toBeNull();
});

test('BAK-3: a clock that was a year ahead for one backup causes no backup at every look', async () => {
  const core = openAutomatic();
  const year = 366 * 24 * HOUR;
  await core.capture(LOCAL_USER, [{ pageText: 'One.' }]);
  clock.advance(year);
  const future = await core.backups.runDue();
  clock.advance(-year);
  const present = await core.backups.runDue();
  expect([future?.kind, present?.kind]).toEqual(['daily', 'daily']);
  expect(await core.backups.runDue()).toBeNull();
  const { backups, state } = await core.backups.list();
  expect(backups.map(({ path }) => path)).toEqual([present?.path, future?.path]);
  expect(state?.last?.path).toBe(present?.path);
});

test.skipIf(process.platform === 'win32')(
  'BAK-3, REL-6: makes no backup and no folder after the data folder was moved',
  async () => {
    const { storage } = server;
    const data = join(folder, 'data');
    const options = { folder: join(data, 'backups'), dataFolder: data, readPassphrase: null, isAutomatic: true, clock };
    const backupStore = openBackups({ ...options, copy: storage.copy ?? expect.fail() });
    const core = createCore({ ...storage, clock, backupStore });
    await rename(data, join(folder, 'moved'));
    // Before the store has noticed.
    await expect(backupStore.create('hourly')).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    await expect.poll(() => storage.inspector.problem()?.code).toBe('STORE_GONE');
    expect(await core.backups.runDue()).toBeNull();
    await expect(core.backups.create()).rejects.toMatchObject({ code: 'STORE_GONE' });
    expect(existsSync(data)).toBe(false);
    // Another store in its place is not backed up as this one.
    await cp(join(folder, 'moved'), data, { recursive: true });
    expect(await core.backups.runDue()).toBeNull();
    await expect(core.backups.create()).rejects.toMatchObject({ code: 'STORE_GONE' });
    expect(existsSync(join(data, 'backups'))).toBe(false);
  },
);

test.skipIf(process.getuid?.() === 0)('BAK-1: a folder without permission is named', async () => {
  await chmod(folder, 0o500);
  const { body } = await server.send('POST', '/api/v1/backups');
  await chmod(folder, 0o700);
  expect(body.detail).toContain('This account may not write there.');
  expect(readdirSync(folder)).toEqual(['data']);
});

test('BAK-11: for a store in a database, says what its operator does instead', async () => {
  const advice = 'Run pg_dump, and pg_restore.';
  const { backups } = createCore({ ...server.storage, backupAdvice: advice });
  expect(await backups.list()).toEqual({ backups: [], state: null, restored: null, advice });
  await expect(backups.create()).rejects.toThrow(advice);
});

test('BAK-9, BAK-10: an unknown backup is not restored, nor any by a server that cannot start again', async () => {
  const { body } = await server.send('POST', '/api/v1/backups');
  const restore = async (name: string) => (await server.send('POST', `/api/v1/backups/${name}/restore`)).body.detail;
  expect(await restore('none.db')).toBe('No backup has this name.');
  expect(await restore(basename(body.path))).toBe('No server runs that restores backups.');
});
