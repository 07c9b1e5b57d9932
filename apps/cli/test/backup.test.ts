import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createClient } from '@recollect/contract/client';
import { createCore, LOCAL_USER, systemClock } from '@recollect/core';
import { openStorage, type Storage } from '@recollect/storage';
import { openBackups, stageBackup } from '@recollect/storage/backups';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../../packages/storage/test/backup/stores.js';
import { encryptQuickly } from '../../../packages/storage/test/backups/encrypt-quickly.js';
import { readPassphraseFile } from '../src/passphrase-file.js';
import { type Cli, createCli } from './run-cli.js';
import { canMount, mountSmallDisk } from './small-disk.js';

let cli: Cli;
let data: string;
let store: string;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_RATE_LIMIT: 'off' });
  data = join(cli.folder, 'data');
  store = join(data, 'recollect.db');
});
afterEach(() => cli.remove());

/** Fills the store without a process per memory. */
async function fill(memories: number): Promise<void> {
  const storage = await openStorage({ url: `sqlite:${store}`, readers: 0 });
  const captures = Array.from({ length: memories }, (_, index) => ({
    pageText: `Memory ${index}. ${'tea '.repeat(99)}`,
  }));
  for (let start = 0; start < memories; start += 100)
    await createCore(storage).capture(LOCAL_USER, captures.slice(start, start + 100));
  await storage.close();
}

/** Runs a program with some input. Throws unless it succeeds. */
async function run(command: string, args: string[], input: string): Promise<void> {
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(input);
  const [code] = await once(child, 'exit');
  expect([command, code]).toEqual([command, 0]);
}

const filesOf = (folder: string) => readdirSync(folder).filter((name) => !name.endsWith('.json'));
const passphraseFile = async (text: string) => {
  const path = join(cli.folder, 'passphrase');
  await writeFile(path, text, { mode: 0o600 });
  return { RECOLLECT_BACKUP_PASSPHRASE_FILE: path };
};

/**
 * Milliseconds between two saves of a client: without a pause, the clients would take the processor from all other
 * tests.
 */
const PAUSE = 25;

/** Eight clients that save while some work runs. Returns its result, and how many memories they saved. */
async function whileSaving<T>(
  work: () => Promise<T>,
  { given, pause = PAUSE }: { given?: Storage; pause?: number } = {},
): Promise<{ result: T; saved: number }> {
  const storage = given ?? (await openStorage({ url: `sqlite:${store}` }));
  const { capture } = createCore(storage);
  let isDone = false;
  let saved = 0;
  const saving = Array.from({ length: 8 }, async (_, who) => {
    for (let number = 0; !isDone; number++) {
      await capture(LOCAL_USER, [{ pageText: `Client ${who} saves ${number}.` }]);
      saved += 1;
      await sleep(pause);
    }
  });
  const result = await work().finally(() => {
    isDone = true;
  });
  await Promise.all(saving);
  if (given === undefined) await storage.close();
  return { result, saved };
}

/** Whether the tools are there by which others decrypt a backup. */
const hasAge = ['age', 'script'].every((name) => spawnSync('which', [name]).status === 0);

describe('restore drills', () => {
  test('REL-7, REL-8, BAK-4, BAK-5: a backup of a server under load is restored row by row', async () => {
    await fill(200);
    const server = await cli.serve({ RECOLLECT_BACKUPS: 'off' });
    const client = createClient({ baseUrl: server.address });
    let isDone = false;
    const saving = Array.from({ length: 8 }, async (_, who) => {
      for (let number = 0; !isDone; number++)
        await client('capture', { body: { pageText: `Client ${who} saves ${number}.` } }).then(() => sleep(PAUSE));
    });
    const backup = await cli.json(['backup']);
    isDone = true;
    await Promise.all(saving);
    expect(backup.memories).toBeGreaterThanOrEqual(200);
    const refused = await cli.run(['restore', '--yes']);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('The store is in use. Stop the Recollect'),
    ]);
    expect(await server.stop()).toBe(0);
    const rows = await rowsOf(backup.path);
    const restored = await cli.json(['restore', '--yes']);
    expect(restored).toMatchObject({ file: backup.path, memories: backup.memories, restored: true });
    expect(await rowsOf(store)).toEqual(rows);
    expect(existsSync(join(restored.replaced, 'recollect.db'))).toBe(true);
    const status = await cli.json(['status']);
    expect(status).toMatchObject({
      memories: backup.memories,
      backups: { last: { path: backup.path, isVerified: true } },
    });
  });

  test('REL-7, REL-8, BAK-4: an encrypted backup is restored row by row, with its passphrase only', {
    tags: 'long',
  }, async () => {
    await fill(50);
    const env = await passphraseFile('correct horse\nsecond line');
    const out = join(cli.folder, 'usb', '/');
    // The copy is made at once. The keys then take seconds, in which the clients only cost time.
    const { result: made, saved } = await whileSaving(
      () => cli.run(['backup', '--encrypt', '--out', out, '--json'], { env }),
      { pause: 4 * PAUSE },
    );
    const backup = JSON.parse(made.out);
    expect(backup.isEncrypted).toBe(true);
    expect(backup.memories).toBeGreaterThanOrEqual(50);
    expect(backup.memories).toBeLessThanOrEqual(50 + saved);
    expect(backup.path).toMatch(/usb\/recollect-[-\dTZ]+-manual\.db\.age$/);
    expect((await readFile(backup.path, 'latin1')).startsWith('age-encryption.org/v1\n-> scrypt ')).toBe(true);
    const present = await rowsOf(store);
    const without = await cli.run(['restore', backup.path, '--yes']);
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('The backup is encrypted.')]);
    expect(await rowsOf(store)).toEqual(present);
    await rm(data, { recursive: true });
    const again = await cli.run(['restore', backup.path, '--yes'], { env: await passphraseFile('correct horse') });
    expect([again.code, again.err]).toEqual([0, '']);
    const plain = join(cli.folder, 'plain.db');
    expect(await stageBackup(backup.path, plain, { passphrase: 'correct horse' })).toBe('done');
    expect(await rowsOf(store)).toEqual(await rowsOf(plain));
    if (!hasAge) return;
    // The tool that others have: it asks for the passphrase on a terminal, which `script` provides.
    const byAge = join(cli.folder, 'by-age.db');
    await run('script', ['-qec', `age --decrypt --output '${byAge}' '${backup.path}'`, '/dev/null'], 'correct horse\n');
    expect(await readFile(byAge)).toEqual(await readFile(plain));
  });

  test('REL-7, REL-8, BAK-3: restores hourly, daily and automatic backups row by row', {
    tags: 'long',
  }, async () => {
    await fill(20);
    const server = await cli.serve();
    const folder = join(data, 'backups');
    for (
      let tries = 0;
      tries < 1200 && !(existsSync(folder) && filesOf(folder).some((name) => name.endsWith('.db')));
      tries++
    )
      await sleep(50);
    await server.stop();
    expect(filesOf(folder)).toEqual([expect.stringMatching(/-daily\.db$/)]);
    const storage = await openStorage({ url: `sqlite:${store}` });
    const copy = storage.copy ?? expect.fail();
    const options = { folder, dataFolder: data, copy, readPassphrase: null, isAutomatic: true, clock: systemClock };
    const { result: hourly } = await whileSaving(() => openBackups(options).create('hourly'), {
      given: storage,
    });
    const { path } = hourly;
    await storage.close();
    for (const name of filesOf(folder)) {
      const rows = await rowsOf(join(folder, name));
      const memories = join(folder, name) === path ? hourly.memories : 20;
      expect((await cli.json(['restore', join(folder, name), '--yes'])).memories).toBe(memories);
      expect(await rowsOf(store)).toEqual(rows);
    }
    // Without a file, the newest good one is taken.
    await truncate(path, 100_000);
    const { out, err } = await cli.run(['restore', '--dry-run', '--json']);
    expect(err).toContain('is damaged or incomplete');
    expect(JSON.parse(out)).toMatchObject({ file: expect.stringMatching(/-daily\.db$/), restored: false });
    const list = await cli.json(['restore', '--list']);
    expect(list.backups.map((one: { isVerified: boolean }) => one.isVerified).sort()).toEqual([false, true]);
  });

  test('REL-8: restores a store that was moved aside with the changes in its WAL', async () => {
    await fill(5);
    const server = await cli.serve({ RECOLLECT_BACKUPS: 'off' });
    await createClient({ baseUrl: server.address })('capture', { body: { pageText: 'Only in the WAL.' } });
    const aside = join(cli.folder, 'aside.db');
    for (const ending of ['', '-wal']) await copyFile(store + ending, aside + ending);
    await server.stop();
    const rows = await rowsOf(aside);
    expect((await cli.json(['restore', aside, '--yes'])).memories).toBe(6);
    expect(await rowsOf(store)).toEqual(rows);
    expect(existsSync(`${aside}-wal`)).toBe(true);
    // A backup has no WAL: one that lies beside it belongs to another file.
    const { path } = await cli.json(['backup']);
    await cli.save('After the backup.');
    await copyFile(`${aside}-wal`, `${path}-wal`);
    expect((await cli.json(['restore', path, '--yes'])).memories).toBe(6);
  });

  test('BAK-5: a newest backup whose passphrase is wrong is not passed over, and one that cannot be read is', async () => {
    await fill(5);
    const folder = join(data, 'backups');
    await mkdir(folder);
    const older = join(folder, 'recollect-2026-01-01T00-00-00Z-manual.db');
    await cli.json(['backup', '--out', older]);
    const newest = join(
      folder,
      `recollect-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z-manual.db.age`,
    );
    await writeFile(newest, await encryptQuickly('not read', 'correct horse'));
    const before = await rowsOf(store);
    const wrong = await cli.run(['restore', '--yes'], { env: await passphraseFile('wrong') });
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining('the passphrase is wrong. Nothing was changed'),
    ]);
    expect(await rowsOf(store)).toEqual(before);
    for (const name of filesOf(folder)) if (join(folder, name) !== older) await rm(join(folder, name));
    if (process.platform !== 'linux') return;
    const unreadable = join(folder, 'recollect-2026-02-01T00-00-00Z-manual.db');
    // Reading its beginning fails with EIO, for every account.
    await symlink('/proc/self/mem', unreadable);
    const { code, out, err } = await cli.run(['restore', '--yes', '--json']);
    expect([code, err]).toEqual([0, expect.stringContaining(`${unreadable} cannot be read.`)]);
    expect(JSON.parse(out)).toMatchObject({ file: older, restored: true });
  });

  test('BAK-1: processes that make a backup in the same second each make one', async () => {
    await fill(1);
    const made = await Promise.all([1, 2, 3].map(() => cli.runProcess(['backup', '--json'])));
    expect(made.map(({ code, err }) => [code, err])).toEqual(Array(3).fill([0, '']));
    expect(new Set(made.map(({ out }) => JSON.parse(out).path)).size).toBe(3);
  });

  test('REL-9, REL-7, REL-8: a store is migrated only after a backup, which is restored row by row', async () => {
    await mkdir(data);
    const released = '../../../packages/storage/test/fixtures/released-stores/0008-history-and-sessions.db.gz';
    await writeFile(store, gunzipSync(await readFile(new URL(released, import.meta.url))));
    const rows = await rowsOf(store);
    // Without a backup there is no migration.
    const blocked = join(cli.folder, 'blocked');
    await writeFile(blocked, '');
    const refused = await cli.run(['recent'], { env: { RECOLLECT_BACKUP_DIR: blocked } });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('so nothing was changed.')]);
    expect(await rowsOf(store)).toEqual(rows);
    const migrates = async () => {
      const { code, out, err } = await cli.run(['recent', '--json']);
      expect([code, err]).toEqual([0, expect.stringContaining('changes the layout of the store.')]);
      expect(JSON.parse(out).memories.length).toBe(4);
    };
    await migrates();
    const [name] = filesOf(join(data, 'backups'));
    expect(name).toMatch(/-migration\.db$/);
    expect(await rowsOf(join(data, 'backups', name ?? ''))).toEqual(rows);
    await cli.json(['restore', '--yes']);
    expect(await rowsOf(store)).toEqual(rows);
    await migrates();
  });
});

describe('kills', () => {
  test('REL-7: a backup that is killed at any time leaves no unfinished backup under its name', {
    tags: 'long',
  }, async () => {
    await fill(400);
    const folder = join(data, 'backups');
    for (const milliseconds of [400, 600, 800]) {
      const child = cli.start(['backup']);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      await sleep(milliseconds);
      child.kill('SIGKILL');
      await exited;
    }
    await cli.json(['backup']);
    const names = filesOf(folder);
    expect(names.filter((name) => name.includes('.partial'))).toEqual([]);
    for (const name of names) expect((await cli.json(['restore', join(folder, name), '--dry-run'])).memories).toBe(400);
  });

  test('REL-8, BAK-5: a restore that is killed at any time leaves the old store or the new one', {
    tags: 'long',
  }, async () => {
    await fill(400);
    const { path } = await cli.json(['backup']);
    for (const milliseconds of [300, 450, 600]) {
      await cli.save(`After the backup, before a restore is killed after ${milliseconds} ms.`);
      const child = cli.start(['restore', path, '--yes']);
      const exited = new Promise((resolve) => child.once('exit', resolve));
      await sleep(milliseconds);
      child.kill('SIGKILL');
      await exited;
      const { memories } = await cli.json(['status']);
      expect(memories).toBeGreaterThanOrEqual(400);
    }
    expect((await cli.json(['restore', path, '--yes'])).memories).toBe(400);
    expect((await cli.json(['status'])).memories).toBe(400);
  });
});

describe('before a restore', () => {
  test('BAK-5: says what would change, and changes nothing', async () => {
    await fill(5);
    const { path } = await cli.json(['backup']);
    const { memories } = await cli.json(['recent']);
    await cli.run(['delete', memories[0].id]);
    await cli.run(['trash', 'empty', '--yes']);
    await cli.run(['capture', '--text', 'Saved after the backup.']);
    await cli.run(['capture', '--text', 'And another one.']);
    const before = await rowsOf(store);
    const files = readdirSync(data).sort();
    const { code, out } = await cli.run(['restore', '--dry-run']);
    expect(code).toBe(0);
    expect(out).toContain('The present store has 6 memories, those in the trash included.\n');
    expect(out).toContain('Only the backup has 1 memory, which would come back.\n');
    expect(out).toContain('Only the store has 2 memories, which would be gone from it.\n');
    expect(out).toContain('The backup is good. Nothing was changed.');
    expect(await cli.json(['restore', path, '--dry-run'])).toEqual({
      file: path,
      bytes: expect.any(Number),
      memories: 5,
      difference: {
        ...{ backup: 5, store: 6, onlyInBackup: 1, onlyInStore: 2, changed: 0 },
        days: expect.any(Array),
        newest: { backup: expect.any(String), store: expect.any(String) },
      },
      restored: false,
      replaced: null,
    });
    expect(await rowsOf(store)).toEqual(before);
    expect(readdirSync(data).sort()).toEqual(files);
    await writeFile(store, 'no store at all');
    const damaged = await cli.run(['restore', '--dry-run']);
    expect([damaged.code, damaged.out]).toEqual([0, expect.stringContaining('The present store cannot be read')]);
    // Without a terminal, what could be restored is listed, and nothing is done.
    const unasked = await cli.run(['restore']);
    expect([unasked.code, unasked.out]).toEqual([2, expect.stringContaining(path)]);
  });

  test('BAK-5: a stopped backup says so at each stage', async () => {
    await fill(1);
    const encrypted = join(cli.folder, 'encrypted.db.age');
    await writeFile(encrypted, 'age-encryption.org/v1\n-> scrypt');
    const env = await passphraseFile('correct horse');
    const plain: string = (await cli.json(['backup'])).path;
    const [{ id }] = (await cli.json(['recent'])).memories;
    for (const args of [
      ['restore', encrypted, '--yes'],
      ['restore', plain, '--dry-run'],
      ['restore', '--memory', id, plain],
    ]) {
      const before = process.listeners('SIGHUP');
      let hasEnded = false;
      const stopped = cli.run(args, { env }).finally(() => {
        hasEnded = true;
      });
      const added = () => process.listeners('SIGHUP').filter((listener) => !before.includes(listener));
      while (added().length === 0 && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
      for (const listener of added()) listener('SIGHUP');
      expect(await stopped).toMatchObject({ code: 1, err: 'Stopped. Nothing was changed.\n' });
    }
  });

  test('BAK-4: --force replaces a file, and leaves it when the backup fails', async () => {
    await fill(2);
    // A user's file is not part of the store, even in the data folder.
    const target = join(data, 'backup.db');
    await writeFile(target, 'something else');
    expect(await cli.json(['backup', '--out', target, '--force'])).toMatchObject({ path: target, memories: 2 });
    expect(await rowsOf(target)).toEqual(await rowsOf(store));
    // One among the backups has a report, which must describe the new file.
    const { path } = await cli.json(['backup']);
    await cli.run(['capture', '--text', 'Saved since.']);
    await cli.json(['backup', '--out', path, '--force']);
    expect((await cli.json(['restore', '--list'])).backups).toMatchObject([{ path, memories: 3, isVerified: true }]);
    const made = await readFile(target);
    const failed = await cli.run(['backup', '--out', target, '--force'], { env: await passphraseFile('') });
    expect(failed.code).toBe(1);
    expect(await readFile(target)).toEqual(made);
  });
});

describe('bad input', () => {
  test('BAK-4: reads a passphrase in UTF-8 or as PowerShell writes it, and rejects a file that is not text', async () => {
    const path = join(cli.folder, 'passphrase');
    for (const bytes of [
      Buffer.from('correct horse'),
      Buffer.from('correct horse\r\n\xff', 'latin1'),
      Buffer.from('\ufeffcorrect horse\r\n'),
      Buffer.from('\ufeffcorrect horse\r\n', 'utf16le'),
      Buffer.from('\ufeffcorrect horse\n', 'utf16le').swap16(),
    ]) {
      await writeFile(path, bytes);
      expect(await readPassphraseFile(path)).toBe('correct horse');
    }
    for (const bytes of [Buffer.from('correct horse', 'utf16le'), Buffer.from([0xe9, 0x0a])]) {
      await writeFile(path, bytes);
      await expect(readPassphraseFile(path)).rejects.toThrow('is not text in UTF-8');
    }
  });

  test('BAK-4, BAK-6: a backup of a version that took a byte order mark for a part of the passphrase is restored', async () => {
    await fill(1);
    const plain = await cli.json(['backup']);
    const path = join(cli.folder, 'former.db.age');
    await writeFile(path, await encryptQuickly(await readFile(plain.path), '\ufeffcorrect horse'));
    const now = await passphraseFile('\ufeffcorrect horse\n');
    const { code, out } = await cli.run(['restore', path, '--dry-run'], { env: now });
    expect([code, out]).toEqual([0, expect.stringContaining('The backup is good.')]);
    const [{ id }] = (await cli.json(['recent'])).memories;
    const wrong = await cli.run(['restore', path, '--memory', id], { env: await passphraseFile('another') });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('the passphrase is wrong')]);
    const missing = await cli.run(['restore', join(cli.folder, 'missing'), '--memory', id]);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('does not exist')]);
  });

  test('BAK-4, BAK-6: is explained and changes nothing', async () => {
    await fill(5);
    const { path } = await cli.json(['backup']);
    const before = await readFile(store);
    const other = join(cli.folder, 'other.txt');
    await writeFile(other, 'not a backup');
    const short = join(cli.folder, 'short.db');
    await copyFile(path, short);
    await truncate(short, 100_000);
    const cases: [args: string[], code: number, message: string][] = [
      [['restore', other, '--yes'], 1, 'is not a backup of Recollect. Nothing was changed.'],
      [['restore', short, '--yes'], 1, 'is damaged or incomplete. Nothing was changed.'],
      [['restore', store, '--yes'], 1, 'is the store itself, not a backup.'],
      [['restore', join(cli.folder, 'missing'), '--yes'], 1, 'does not exist.'],
      [['restore', path], 2, 'Nothing was changed. To restore without being asked, add --yes.'],
      [['backup', '--out', other], 1, 'already exists. It was not changed. Choose another name, or add --force'],
      [['backup', '--out', store, '--force'], 1, 'belongs to the store. It was not changed.'],
      [['backup', '--force'], 2, '--force requires --out FILE.'],
      [['backup', '--out', join(cli.folder, 'missing', 'file.db')], 1, 'does not exist. Create it'],
      [['backup', '--encrypt'], 2, 'RECOLLECT_BACKUP_PASSPHRASE_FILE'],
    ];
    for (const [args, code, message] of cases) {
      const outcome = await cli.run(args);
      expect([args, outcome.code, outcome.err]).toEqual([args, code, expect.stringContaining(message)]);
    }
    const empty = await cli.run(['backup'], { env: await passphraseFile('\n') });
    expect([empty.code, empty.err]).toEqual([1, expect.stringContaining('is empty. Write the passphrase there.')]);
    expect(await readFile(other, 'utf8')).toBe('not a backup');
    expect(await readFile(store)).toEqual(before);
    expect(filesOf(join(data, 'backups')).length).toBe(1);
  });

  test.skipIf(!canMount())(
    'BAK-4: says how much space a backup needs (requires an account that may mount a tmpfs)',
    async () => {
      await fill(5);
      const disk = mountSmallDisk(6) ?? expect.fail();
      try {
        const { code, err } = await cli.run(['backup'], {
          env: { RECOLLECT_BACKUP_DIR: join(disk.folder, 'backups') },
        });
        expect([code, err]).toEqual([
          1,
          expect.stringMatching(/not enough space .* It needs \d+ MB, and \d+ MB are free/),
        ]);
        expect(readdirSync(join(disk.folder, 'backups'))).toEqual([]);
      } finally {
        disk.remove();
      }
    },
  );
});
