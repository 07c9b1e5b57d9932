import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReplacement, openStorage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** An account other than root. */
const ACCOUNT = 54_321;
const isRoot = process.getuid?.() === 0;

let folder: string;
let data: string;
let lock: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  data = join(folder, 'data');
  lock = join(data, 'recollect.db-lock');
  url = `sqlite:${join(data, 'recollect.db')}`;
});
afterEach(() => rm(folder, { recursive: true }));

/**
 * Seizes or holds the lock as another account, and returns what happened. That account may be unable to read this
 * program, which is therefore loaded, and used once, before.
 */
function useLock(work: 'seizeStore' | 'holdStore'): string {
  const program = `import { ${work} } from ${JSON.stringify(new URL('../dist/sqlite/store-lock.js', import.meta.url).href)};
    ${work}(${JSON.stringify(join(folder, 'other.db'))});
    process.setgroups([]);
    process.setgid(${ACCOUNT});
    process.setuid(${ACCOUNT});
    try { console.log(${work}(${JSON.stringify(join(data, 'recollect.db'))}) === null ? 'busy' : 'locked'); }
    catch (error) { console.log(error.code + ': ' + error.message); }`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim();
}

test.skipIf(!isRoot)(
  'BAK-6: a lock file that root makes belongs to the owner of the store (requires root)',
  async () => {
    await mkdir(data, { mode: 0o700 });
    await chmod(folder, 0o755);
    await chown(data, ACCOUNT, ACCOUNT);
    const storage = await openStorage({ url });
    try {
      expect((await stat(lock)).uid).toBe(ACCOUNT);
      expect([useLock('holdStore'), useLock('seizeStore')]).toEqual(['locked', 'busy']);
    } finally {
      await storage.close();
    }
  },
);

test.skipIf(!isRoot)('BAK-6: a lock file of another account locks nothing, and says so (requires root)', async () => {
  await mkdir(data, { mode: 0o700 });
  await chmod(folder, 0o755);
  await chown(data, ACCOUNT, ACCOUNT);
  await writeFile(lock, '', { mode: 0o600 });
  const refusal = (participle: string) =>
    `UNAVAILABLE: The lock file recollect.db-lock cannot be ${participle} by this account, so nothing was changed. Use the account that owns the store, or give that account the file.`;
  expect([useLock('holdStore'), useLock('seizeStore')]).toEqual([refusal('opened'), refusal('written')]);
  await chmod(lock, 0o644);
  // An account that can read the file can mark the store as open, but would get no exclusive lock.
  expect([useLock('holdStore'), useLock('seizeStore')]).toEqual(['locked', refusal('written')]);
});

test('BAK-6: a restore that changes nothing removes the folder that it made, and keeps files that others made there', async () => {
  await (await openReplacement(url)).close();
  expect(existsSync(data)).toBe(false);
  const replacement = await openReplacement(url);
  await writeFile(join(data, 'notes.txt'), 'kept');
  await replacement.close();
  expect(existsSync(join(data, 'notes.txt'))).toBe(true);
});
