import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readExport, writeExport } from '@recollect/contract';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openSalvage, openStorage, type Salvage, type Salvaged } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PAGE = 8192;
/** A number that damage may leave where a small one was. */
const HUGE = 2 ** 40;

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC';

let folder: string;
let file: string;
let url: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-salvage-'));
  file = join(folder, 'recollect.db');
  url = `sqlite:${file}`;
});
afterEach(() => rm(folder, { recursive: true }));

/** Saves memories of several chunks, and returns their texts. */
async function fill(count: number): Promise<string[]> {
  const storage = await openStorage({ url, readers: 0 });
  const core = createCore(storage);
  const texts = Array.from({ length: count }, (_, at) =>
    Array.from({ length: 400 }, (_, line) => `Line ${line} of ${at} is about tea.`).join('\n'),
  );
  for (const pageText of texts) await core.capture(LOCAL_USER, [{ pageText }]);
  await storage.close();
  return texts;
}

function change(...statements: string[]): void {
  const database = new Sqlite(file).unsafeMode(true);
  for (const statement of statements) database.exec(statement);
  database.close();
}

async function salvageAll(from = url): Promise<Omit<Salvage, 'memories' | 'close'> & { memories: Salvaged[] }> {
  const { isWalLost, savedSearches, memories, close } = await openSalvage(from, folder);
  const found = [...memories()];
  await close();
  expect((await readdir(folder)).filter((name) => name.startsWith('.copy-'))).toEqual([]);
  return { isWalLost, savedSearches, memories: found };
}

test('REL-6: salvage ends in spite of a damaged position or row number, and reads the remaining rows', async () => {
  const texts = await fill(3);
  change(
    `update chunks set position = ${HUGE} where id = (select max(id) from chunks where position = 1)`,
    `update sqlite_sequence set seq = ${HUGE} where name = 'chunks'`,
  );
  const { memories: found } = await salvageAll();
  expect(found.map(({ isWhole }) => isWhole)).toEqual([true, true, false]);
  expect(found.slice(0, 2).map(({ record }) => record.text)).toEqual(texts.slice(0, 2));
  expect(found[2]?.record.text).toContain('[This part could not be read.]');
  const read = (found[2]?.record.text ?? '').replaceAll('\n[This part could not be read.]\n', '');
  expect(read.length).toBe(texts[2]?.length);
});

test('REL-6: memories that have lost their texts stay different memories', async () => {
  await fill(2);
  change('delete from chunks');
  const [first, second] = (await salvageAll()).memories;
  expect(first?.record.text).toBe(`[The text of memory ${first?.record.id} could not be read.]`);
  expect(second?.record.text).not.toBe(first?.record.text);
});

test('REL-6: a text that has lost its end says so', async () => {
  const [text = ''] = await fill(1);
  change('delete from chunks where position = (select max(position) from chunks)');
  const [found] = (await salvageAll()).memories;
  expect(found?.isWhole).toBe(false);
  expect(found?.record.text).toMatch(/\n\[This text was damaged\. Its end may be missing\.\]\n$/);
  expect(text.startsWith((found?.record.text ?? '').split('\n[This text')[0] ?? '-')).toBe(true);
});

test('REL-6: salvage ends if the last pages are lost as well as the last row number', async () => {
  const texts = await fill(20);
  const database = new Sqlite(file, { readonly: true });
  const { page } = database
    .prepare("select max(pageno) as page from dbstat where name = 'chunks' and pagetype = 'leaf'")
    .get() as { page: number };
  database.close();
  change(`update sqlite_sequence set seq = ${HUGE} where name = 'chunks'`);
  const bytes = await readFile(file);
  await writeFile(file, bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE));
  const { memories: found } = await salvageAll();
  expect(found.length).toBe(20);
  const whole = found.filter(({ isWhole }) => isWhole).map(({ record }) => record.text);
  expect(whole.length).toBeGreaterThan(15);
  expect(texts).toEqual(expect.arrayContaining(whole));
});

for (const fill0 of [0, 0xa5]) {
  test(`REL-6: salvage reads the WAL of a store whose header is lost (filled with ${fill0})`, async () => {
    await fill(3);
    const open = new Sqlite(file);
    open.pragma('journal_mode = wal');
    open.pragma('wal_autocheckpoint = 0');
    // In place, so that the WAL does not contain the page with the header.
    open.exec("update memories set source_app = 'walonly'");
    await mkdir(join(folder, 'other'));
    const other = join(folder, 'other', 'recollect.db');
    for (const ending of ['', '-wal']) await copyFile(file + ending, other + ending);
    open.close();
    const bytes = await readFile(other);
    await writeFile(other, bytes.fill(fill0, 0, 90));
    const { isWalLost, memories: found } = await salvageAll(`sqlite:${other}`);
    expect(found.map(({ record, isWhole }) => [record.sourceApp, isWhole])).toEqual(Array(3).fill(['walonly', true]));
    expect(isWalLost).toBe(false);
  });
}

test('REL-6: salvage reports a WAL that cannot be read', async () => {
  await fill(2);
  expect(existsSync(`${file}-wal`)).toBe(false);
  await mkdir(`${file}-wal`);
  const { isWalLost, memories } = await salvageAll();
  expect([isWalLost, memories.length]).toEqual([true, 2]);
});

test('REL-6: a conversation with a lost part, and texts with zeroed bytes and broken times, are salvaged so that they can be imported', async () => {
  const storage = await openStorage({ url, readers: 0 });
  const messages = Array.from({ length: 40 }, (_, turn) => ({
    role: 'user',
    text: `Turn ${turn}. ${'Tea. '.repeat(99)}`,
  }));
  await createCore(storage).capture(LOCAL_USER, [{ messages }, { pageText: 'A zeroed block.' }]);
  await storage.close();
  change(
    "update chunks set text = x'00' where id = (select min(id) from chunks where position = 1)",
    "update chunks set text = 'A zero' || char(0, 0, 0) || 'block.' where text like '%zeroed block%'",
    "update memories set captured_at = '2026-91-05T00:00:00Z'",
  );
  const { memories } = await salvageAll();
  expect(memories.map(({ record, isWhole }) => [record.turns, isWhole])).toEqual([
    [{ count: 40, starts: null }, false],
    [null, false],
  ]);
  expect(memories[1]?.record.text).toBe('A zero\n[This part could not be read.]\nblock.');
  const target = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const exported = writeExport(Readable.from(memories.map(({ record }) => record)), {
    program: '1',
    now: new Date(),
    savedSearches: [],
  });
  const report = await createCore(target).records.import(
    LOCAL_USER,
    readExport(Readable.from(exported).map((line) => Buffer.from(line))),
  );
  expect(report).toMatchObject({ created: 2, failed: [] });
  await target.close();
});

test('REL-6, IMG-1: salvage reads pictures and saved searches', async () => {
  const picture = { type: 'image/png', data: PNG };
  const storage = await openStorage({ url, readers: 0 });
  const core = createCore(storage);
  await core.capture(LOCAL_USER, [
    { pageText: 'Tea on a page.', url: 'https://tea.example/', picture, favicon: picture },
    { pageText: 'Tea alone.' },
  ]);
  for (const name of ['Tea', 'Coffee', 'Cocoa']) await core.savedSearches.create(LOCAL_USER, { name, query: 'tea' });
  await storage.close();
  const { savedSearches, memories } = await salvageAll();
  expect(memories.map(({ record: { picture, favicon } }) => [picture, favicon])).toEqual([
    [picture, picture],
    [undefined, undefined],
  ]);
  expect(savedSearches).toEqual(['Tea', 'Coffee', 'Cocoa'].map((name) => ({ name, query: 'tea' })));
  // A store of before either was kept.
  change('drop table saved_searches', 'drop table memory_pictures', 'drop table site_favicons', 'drop table pictures');
  const older = await salvageAll();
  expect([older.savedSearches, older.memories.length]).toEqual([[], 2]);
});
