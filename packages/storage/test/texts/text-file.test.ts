import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore, LOCAL_USER } from '@recollect/core';
import { openStorage, type Storage, type StorageOptions } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

/** A store of 1,000 texts, with the file that its close has written. */
let whole: string;
let folder: string;
let file: string;
let texts: string;
let notices: string[];
const opened: Storage[] = [];

async function open(path: string, options: Partial<StorageOptions> = {}): Promise<{ storage: Storage; core: Core }> {
  const storage = await openStorage({
    url: `sqlite:${path}`,
    readers: 1,
    textMemoryMb: 64,
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  opened.push(storage);
  return { storage, core: createCore({ ...storage, embeddingModel: null }) };
}

const closeAll = () => Promise.all(opened.splice(0).map((storage) => storage.close()));

/** The numbers of texts with a word, by a search that waits until the texts are in memory. */
async function count({ textIndex }: Storage, word: string): Promise<number> {
  await textIndex.warmUp?.();
  const { hits } = await textIndex.search(LOCAL_USER, { terms: [[word]], prefix: null }, { limit: 2_000, filter: {} });
  return hits.length;
}

/** Changes all texts without the change sequence, so that only the file still has the words before. */
function rewriteTexts(): void {
  const raw = new Sqlite(file);
  raw.exec(
    "insert into chunk_text (chunk_text) values ('delete-all'); update chunks set text = 'coffee'; update memories set title = 'cup'",
  );
  raw.close();
}

beforeAll(async () => {
  notices = [];
  whole = await mkdtemp(join(tmpdir(), 'recollect-texts-'));
  const { storage, core } = await open(join(whole, 'recollect.db'));
  for (let round = 0; round < 10; round++)
    await core.capture(
      LOCAL_USER,
      Array.from({ length: 100 }, (_, at) => ({ pageText: `tea ${round} cup ${at}`, tags: [`t${at}`] })),
    );
  await storage.textIndex.warmUp?.();
  await closeAll();
});
afterAll(() => rm(whole, { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-texts-'));
  file = join(folder, 'recollect.db');
  texts = `${file}-texts`;
  notices = [];
  for (const ending of ['', '-texts']) await copyFile(join(whole, `recollect.db${ending}`), file + ending);
});
afterEach(async () => {
  await closeAll();
  await rm(folder, { recursive: true });
});

test('REL-28: a start continues with the file, and with the changes after it', async () => {
  const without = await open(file, { textMemoryMb: 0 });
  await without.core.capture(LOCAL_USER, [{ pageText: 'tea for two' }]);
  await closeAll();
  rewriteTexts();
  const { storage, core } = await open(file);
  expect(await count(storage, 'tea')).toBe(1_000);
  await core.capture(LOCAL_USER, [{ pageText: 'more tea' }]);
  expect(await count(storage, 'tea')).toBe(1_001);
  expect(notices).toEqual([]);
});

test.each([
  [
    'a byte of it has changed',
    (bytes: Buffer) => bytes.fill((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1, (bytes.length >> 1) + 1),
  ],
  ['it ends too early', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
  ['it is empty', (bytes: Buffer) => bytes.subarray(0, 0)],
  ['it is another file', () => Buffer.alloc(100_000, 'SQLite format 3')],
  [
    'another version wrote it',
    (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/"mark":"../, '"mark":"zz'), 'latin1'),
  ],
  [
    'it is of a later state of the store',
    (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/"sequence":1000/, '"sequence":1001'), 'latin1'),
  ],
])('REL-28: the texts are loaded from the store if %s', async (_, damage) => {
  await writeFile(texts, damage(await readFile(texts)));
  rewriteTexts();
  const { storage } = await open(file);
  expect([await count(storage, 'tea'), await count(storage, 'coffee')]).toEqual([0, 1_000]);
  expect(notices).toEqual([]);
  // The close writes it again.
  await closeAll();
  expect(existsSync(texts)).toBe(true);
  const again = await open(file);
  expect(await count(again.storage, 'coffee')).toBe(1_000);
});

test('REL-28: the file of another store is not used', async () => {
  const other = join(folder, 'other.db');
  const { core } = await open(other);
  for (let round = 0; round < 10; round++)
    await core.capture(
      LOCAL_USER,
      Array.from({ length: 100 }, (_, at) => ({ pageText: `milk ${round} ${at}` })),
    );
  await closeAll();
  await copyFile(texts, `${other}-texts`);
  const { storage } = await open(other);
  expect([await count(storage, 'tea'), await count(storage, 'milk')]).toEqual([0, 1_000]);
});
