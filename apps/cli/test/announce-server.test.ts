import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceServer, readServerFile } from '../src/executor/server-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const fileOf = (secret: string, pid = process.pid) => ({
  address: 'http://127.0.0.1:7700',
  pid,
  secret,
  version: '1',
});
const secretIn = async () => (await readServerFile(folder))?.secret;

test('SEC-18: a server is found again after another one of its store has ended', async () => {
  const first = await announceServer(folder, fileOf('first'));
  const second = await announceServer(folder, fileOf('second'));
  vi.advanceTimersByTime(60_000);
  expect(await secretIn()).toBe('second');
  await second.end();
  vi.advanceTimersByTime(60_000);
  await expect.poll(secretIn).toBe('first');
  // One that was killed leaves its file.
  await writeFile(join(folder, 'server.json'), JSON.stringify(fileOf('killed', 2 ** 22 + 1)), { mode: 0o600 });
  vi.advanceTimersByTime(60_000);
  await expect.poll(secretIn).toBe('first');
  await first.end();
  vi.advanceTimersByTime(60_000);
  expect(await readdir(folder)).toEqual([]);
});

test('SEC-18: does not replace a file that cannot be read', async () => {
  const announcement = await announceServer(folder, fileOf('first'));
  await writeFile(join(folder, 'server.json'), '{');
  vi.advanceTimersByTime(60_000);
  await announcement.end();
  expect(await readdir(folder)).toEqual(['server.json']);
});
