import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../src/lock.mjs';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true }));

test('one command installs and builds at a time, and the next one starts after a failure', async () => {
  let working = 0;
  let most = 0;
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    working -= 1;
    throw new Error('The build failed.');
  };
  const results = await Promise.allSettled([withLock(path, work), withLock(path, work), withLock(path, work)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect([most, existsSync(path)]).toEqual([1, false]);
});

test('a lock whose process was killed is taken over, even if another process now has its id', async () => {
  await writeFile(path, String(spawnSync(process.execPath, ['-e', '0']).pid));
  expect(await withLock(path, async () => 'first')).toBe('first');
  await writeFile(path, String(process.pid));
  await utimes(path, new Date(0), new Date(0));
  expect(await withLock(path, async () => 'second')).toBe('second');
});
