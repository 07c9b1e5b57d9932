import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReaders, type Readers } from '../dist/sqlite/readers.js';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-readers-'));
  path = join(folder, 'recollect.db');
  new Sqlite(path).exec('pragma journal_mode = wal; create table t (a); insert into t values (7)').close();
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (reader: Readers['first']) => (await reader.run('select a from t')).rows;

test('there are as many readers as there may be, each opened when it is wanted', async () => {
  const readers = await openReaders({ path, threads: 2 });
  const others = await Promise.all([readers.openAnother(), readers.openAnother()]);
  expect(others.map((reader) => reader !== null)).toEqual([true, false]);
  for (const reader of [readers.first, readers.lookup, others[0]])
    expect(await read(reader as Readers['first'])).toEqual([{ a: 7 }]);
  await readers.close();
  await expect(read(others[0] as Readers['first'])).rejects.toThrow('closed');
});

test('a single reader on the calling thread stays the only one', async () => {
  const readers = await openReaders({ path, threads: 0 });
  expect(await readers.openAnother()).toBeNull();
  await readers.close();
});

test('one that is being opened is closed with the others', async () => {
  const begun = Promise.withResolvers<void>();
  const isInPlace = () => {
    begun.resolve();
    return true;
  };
  const readers = await openReaders({ path, threads: 2, isInPlace });
  const opening = readers.openAnother();
  await begun.promise;
  await readers.close();
  await expect(read((await opening) as Readers['first'])).rejects.toThrow('closed');
  expect(await readers.openAnother()).toBeNull();
});

test('one that cannot be opened is null, and the next attempt may succeed', async () => {
  // Before the thread is started, and before it opens the file.
  const attempts = [new Error('EMFILE'), null, new Error('EMFILE'), null];
  const isInPlace = () => {
    const error = attempts.shift() ?? null;
    if (error !== null) throw error;
    return true;
  };
  const readers = await openReaders({ path, threads: 2, isInPlace });
  expect(await readers.openAnother()).toBeNull();
  expect(await readers.openAnother()).toBeNull();
  expect(await readers.openAnother()).not.toBeNull();
  await readers.close();
});

test('REL-6: a file that took the place of the store is not opened', async () => {
  // It is looked at before the thread is started, before the file is opened, and after that.
  for (const answers of [[false], [true, false], [true, true, false]]) {
    const readers = await openReaders({ path, threads: 2, isInPlace: () => answers.shift() ?? false });
    expect(await readers.openAnother()).toBeNull();
    expect(answers).toEqual([]);
    expect(await readers.openAnother()).toBeNull();
    expect(await read(readers.first)).toEqual([{ a: 7 }]);
    await readers.close();
  }
});

test('REL-6: a file is looked at once the thread can open it, and leaves no trace if another took its place', async () => {
  const other = join(folder, 'other.db');
  await copyFile(path, other);
  let looks = 0;
  const readers = await openReaders({
    path: other,
    threads: 2,
    isInPlace: () => {
      looks += 1;
      if (looks === 1) return true;
      expect(existsSync(`${other}-wal`)).toBe(true);
      for (const ending of ['-wal', '-shm']) rmSync(other + ending);
      return false;
    },
  });
  expect(await readers.openAnother()).toBeNull();
  expect([looks, existsSync(`${other}-wal`)]).toEqual([2, false]);
  await readers.close();
});
