import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, capture } from './ask.js';
import { type Cli, createCli } from './run-cli.js';
import { canMount, mountSmallDisk } from './small-disk.js';

const isWindows = process.platform === 'win32';

/** Without what a server does by itself after some seconds, at any time during a test. */
const ENVIRONMENT = { RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_BACKUPS: 'off' };

let cli: Cli;
const data = (...names: string[]) => join(cli.folder, 'data', ...names);
beforeEach(async () => {
  cli = await createCli(ENVIRONMENT);
});
afterEach(() => cli.remove());

/** The file in which what was saved is kept. */
const rescued = async (): Promise<string[]> =>
  (await readdir(cli.folder))
    .filter((name) => name.startsWith('data-rescued-'))
    .map((name) => join(cli.folder, name, 'recollect.db'));
/** The titles in a store file, which must be sound. */
const titlesIn = (file: string): string[] => {
  const database = new Sqlite(file, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database.prepare('select title from memories order by title').pluck().all() as string[];
  } finally {
    database.close();
  }
};

/** Writes the WAL back into the file, as a server does from time to time. */
const writeBack = () => {
  const database = new Sqlite(data('recollect.db'));
  database.pragma('wal_checkpoint(full)');
  database.close();
};

/** The files of a folder except those that the running server makes or removes; null if there is no folder. */
const namesIn = async (folder: string) =>
  existsSync(folder) ? (await readdir(folder)).filter((name) => !/ballast|^server\.json$/.test(name)) : null;

// Windows does not let anyone remove or replace a file that is open.
describe.skipIf(isWindows)('files that disappear or change under a running server', () => {
  const events: Record<string, { change: () => Promise<unknown>; says: RegExp }> = {
    'its folder is removed': {
      change: () => rm(data(), { recursive: true, maxRetries: 10 }),
      says: /The data folder was removed/,
    },
    'its folder is moved': {
      change: () => rename(data(), data('..', 'elsewhere')),
      says: /data folder was removed or moved/,
    },
    'its folder is replaced by a copy': {
      async change() {
        await cp(data(), data('..', 'copy'), { recursive: true, filter: (name) => !name.includes('ballast') });
        await rename(data(), data('..', 'former'));
        await rename(data('..', 'copy'), data());
      },
      says: /The data folder was replaced/,
    },
    'its file is removed': { change: () => rm(data('recollect.db')), says: /recollect\.db was removed/ },
    'its WAL is removed': { change: () => rm(data('recollect.db-wal')), says: /recollect\.db-wal was removed/ },
  };

  for (const [event, { change, says }] of Object.entries(events)) {
    test(`REL-6: rejects changes and keeps what was saved when ${event}`, async () => {
      const server = await cli.serve();
      const saved: string[] = [];
      for (let number = 0; number < 5; number++) {
        expect((await capture(server.address, `note ${number}`)).status).toBe(200);
        saved.push(`note ${number}`);
      }
      await change();
      const left = await namesIn(data());
      for (let number = 10; number < 13; number++)
        expect((await capture(server.address, `note ${number}`)).body).toMatchObject({
          status: 503,
          code: 'STORE_GONE',
        });
      await expect
        .poll(async () => (await ask(server.address, 'GET', '/healthz')).body)
        .toMatchObject({ status: 503, code: 'STORE_GONE', detail: expect.stringMatching(says) });
      await expect
        .poll(async () => (await capture(server.address, 'too late')).body)
        .toMatchObject({ code: 'STORE_GONE', detail: expect.stringMatching(/is in data-rescued-.*recollect\.db/) });
      // Reads still work, from the files that are still open.
      expect((await ask(server.address, 'GET', '/api/v1/capture/query?q=note')).status).toBe(200);
      const [copy = '', ...others] = await rescued();
      expect(others).toEqual([]);
      await expect.poll(() => existsSync(copy)).toBe(true);
      expect((await stat(copy)).mode & 0o777).toBe(0o600);
      await expect.poll(() => server.errors()).toContain(copy);
      expect(await server.stop()).toBe(0);
      expect(server.printed()).not.toContain('Everything is saved.');
      expect(server.printed()).toContain(copy);
      expect(titlesIn(copy)).toEqual(expect.arrayContaining(saved));
      // Nothing took the place of the missing files.
      expect(await namesIn(data())).toEqual(left);
    });
  }

  const overwritten: Record<string, { change: (address: string) => Promise<unknown>; says: RegExp }> = {
    'another store is copied over its file': {
      async change(address) {
        // As a copy does, but seen half done: the file is empty first, which looks like damage.
        await truncate(data('recollect.db'), 0);
        expect((await capture(address, 'into an empty file')).body).toMatchObject({ code: 'STORE_DAMAGED' });
        await copyFile(data('..', 'other.db'), data('recollect.db'));
      },
      says: /recollect\.db was overwritten/,
    },
    'an older backup is copied over its file': {
      change: () => copyFile(data('..', 'backup.db'), data('recollect.db')),
      says: /recollect\.db was overwritten/,
    },
  };

  for (const [at, [event, { change, says }]] of Object.entries(overwritten).entries()) {
    const tags = at === 0 ? [] : 'long';
    test(`REL-6: rejects every change when ${event}, and does not touch the new content`, { tags }, async () => {
      await cli.save('in the backup');
      await copyFile(data('recollect.db'), data('..', 'backup.db'));
      const other = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
      for (let number = 0; number < 30; number++) await other.save(`other ${number} ${'text '.repeat(2_000)}`);
      await copyFile(join(other.folder, 'data', 'recollect.db'), data('..', 'other.db'));
      await other.remove();
      const server = await cli.serve();
      for (let number = 0; number < 5; number++)
        expect((await capture(server.address, `note ${number} ${'text '.repeat(20_000)}`)).status).toBe(200);
      writeBack();
      expect((await capture(server.address, 'in the WAL')).status).toBe(200);
      await change(server.address);
      const content = await readFile(data('recollect.db'));
      for (let number = 10; number < 13; number++)
        expect((await capture(server.address, `note ${number}`)).body).toMatchObject({
          status: 503,
          code: 'STORE_GONE',
          detail: expect.stringMatching(says),
        });
      expect((await ask(server.address, 'GET', '/healthz')).body).toMatchObject({ status: 503, code: 'STORE_GONE' });
      expect(await server.stop()).toBe(0);
      expect(await readFile(data('recollect.db'))).toEqual(content);
      const left = await readdir(data());
      expect(left).toContain('recollect.db-wal-former');
      expect(left).not.toContain('recollect.db-wal');
    });
  }

  test('REL-6: rejects every change when its file is cut to half', async () => {
    const server = await cli.serve();
    // The texts are larger than the tables of a new store, which then stay in the first half.
    for (let number = 0; number < 10; number++)
      expect((await capture(server.address, `note ${number} ${'text '.repeat(20_000)}`)).status).toBe(200);
    writeBack();
    expect((await capture(server.address, 'in the WAL')).status).toBe(200);
    await truncate(data('recollect.db'), (await stat(data('recollect.db'))).size >> 1);
    for (let number = 10; number < 13; number++)
      expect((await capture(server.address, `note ${number}`)).body).toMatchObject({
        status: 503,
        code: 'STORE_DAMAGED',
      });
    expect(await server.stop()).toBe(0);
    // The next start knows, and accepts nothing either.
    const next = await cli.serve();
    expect((await capture(next.address, 'too late')).body).toMatchObject({ status: 503, code: 'STORE_DAMAGED' });
    await next.stop();
  });

  test.skipIf(!canMount())(
    'REL-6: keeps what was saved in the home folder if there is no room beside the data',
    async () => {
      const disk = mountSmallDisk(6);
      if (disk === null) throw new Error('The disk was not mounted.');
      try {
        const server = await cli.serve({ RECOLLECT_DATA_DIR: join(disk.folder, 'data') });
        expect((await capture(server.address, 'one')).status).toBe(200);
        disk.fill();
        // Moved, since what is removed would make room for the copy.
        await rename(join(disk.folder, 'data'), join(disk.folder, 'moved'));
        await expect
          .poll(async () => (await capture(server.address, 'too late')).body.detail)
          .toMatch(/is in data-rescued-.*in your home folder/);
        expect(await server.stop()).toBe(0);
        const [copy = ''] = await rescued();
        expect(titlesIn(copy)).toContain('one');
      } finally {
        disk.remove();
      }
    },
  );

  test('REL-6: does not apply the former WAL to a backup that is moved over the live file', async () => {
    await cli.save('in the backup');
    await copyFile(data('recollect.db'), data('..', 'backup.db'));
    const server = await cli.serve();
    for (let number = 0; number < 5; number++) await capture(server.address, `after the backup ${number}`);
    const backup = titlesIn(data('..', 'backup.db'));
    await rename(data('..', 'backup.db'), data('recollect.db'));
    await expect.poll(async () => (await rescued()).filter((file) => existsSync(file)).length).toBe(1);
    expect(await server.stop()).toBe(0);
    const [copy = ''] = await rescued();
    expect(titlesIn(copy).length).toBe(6);
    expect((await readdir(data())).filter((name) => !/ballast|lock/.test(name))).toEqual(['recollect.db']);
    expect(titlesIn(data('recollect.db'))).toEqual(backup);
    // The copy is a store like any other.
    await rm(data(), { recursive: true });
    await mkdir(data());
    await rename(copy, data('recollect.db'));
    expect((await cli.json(['recent'])).memories.length).toBe(6);
  });
});
