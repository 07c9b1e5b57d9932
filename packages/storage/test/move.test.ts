import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open as openFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fillStore } from './move/fill-store.js';
import { exportsOf, move, rowsAfterMove, rowsOf } from './move/move.js';

let folder: string;
let filled: string;
let source: string;
let target: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  filled = join(folder, 'filled.db');
  await fillStore(filled, 3);
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  count += 1;
  [source, target] = [join(folder, `source-${count}.db`), join(folder, `target-${count}.db`)];
  await copyFile(filled, source);
});

const at = (path: string) => ({ url: `sqlite:${path}` });
const open = async (path: string) => (await openStorage({ ...at(path), readers: 0 })).close();

/** Moves the store until this many rows are done, counted in both passes. */
async function moveUntil(stopAt: number): Promise<void> {
  const stopping = new AbortController();
  const onProgress = (done: number) => done >= stopAt && stopping.abort();
  await expect(move(at(source), at(target), { signal: stopping.signal, onProgress })).rejects.toThrow('Stopped.');
}

/** Moves the store, and returns how many rows were done at each step. */
async function moveAll(): Promise<number[]> {
  const steps: number[] = [];
  await move(at(source), at(target), { onProgress: (done) => steps.push(done) });
  return steps;
}

test('CLI-13: moves each row to another file, and both stores say where the memories are', async () => {
  const before = rowsOf(source);
  await moveAll();
  expect(rowsOf(target)).toEqual(rowsAfterMove(before));
  expect(await exportsOf(at(target))).toEqual(await exportsOf(at(filled)));
  expect(rowsOf(source)).toEqual(before);
  const refusal = { refusal: 'moved', other: `sqlite:${target}`, file: `${source}-move` };
  await expect(open(source)).rejects.toMatchObject(refusal);
  await expect(moveAll()).rejects.toMatchObject(refusal);
  await rm(`${source}-move`);
  await open(source);
});

test('CLI-13: continues a move that was stopped, whose target is not opened until then', async () => {
  const before = rowsOf(source);
  const whole = (await countSteps()) * 2;
  await moveUntil(Math.floor(whole / 4));
  await expect(open(target)).rejects.toMatchObject({ refusal: 'unfinished', other: `sqlite:${source}` });
  await open(source);
  await moveUntil(Math.floor(whole * 0.7));
  const steps = await moveAll();
  expect(steps.at(-1)).toBe(whole);
  expect(rowsOf(target)).toEqual(rowsAfterMove(before));
  await open(target);
});

async function countSteps(): Promise<number> {
  const DERIVED = ['store_counts', 'words', 'note_links'];
  const counts = Object.entries(rowsOf(source)).map(([name, rows]) => (DERIVED.includes(name) ? 0 : rows.length));
  return counts.reduce((sum, rows) => sum + rows, 0);
}

test('CLI-13: finds a difference, names the row, and begins again', async () => {
  await moveUntil(await countSteps());
  const tampered = new Sqlite(target);
  tampered.exec("update highlights set note = 'other'");
  tampered.close();
  await expect(moveAll()).rejects.toThrow(/differs from the source: table highlights, row /);
  await expect(open(target)).rejects.toMatchObject({ refusal: 'unfinished' });
  expect(existsSync(`${source}-move`)).toBe(false);
  await moveAll();
  expect(rowsOf(target)).toEqual(rowsAfterMove(rowsOf(source)));
});

test('CLI-13: begins again if the source was changed since the move was stopped', async () => {
  await moveUntil(30);
  const changed = new Sqlite(source);
  changed.exec("insert into index_changes (user_id, memory_id) values ('local', 'm'); delete from highlights");
  changed.close();
  await moveAll();
  expect(rowsOf(target)).toEqual(rowsAfterMove(rowsOf(source)));
});

test('CLI-13: stops at a page that the disk has damaged, and leaves no target that opens', async () => {
  const store = new Sqlite(source);
  const { page, size } = store
    .prepare(
      "select rootpage as page, page_size as size from sqlite_schema, pragma_page_size where name = 'highlights'",
    )
    .get() as { page: number; size: number };
  store.close();
  const file = await openFile(source, 'r+');
  await file.write(Buffer.alloc(size), 0, size, (page - 1) * size);
  await file.close();
  await expect(moveAll()).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
  await expect(open(target)).rejects.toMatchObject({ refusal: 'unfinished' });
  expect(existsSync(`${source}-move`)).toBe(false);
});

test('CLI-13: says which rows the target rejects', async () => {
  const store = new Sqlite(source);
  store.pragma('foreign_keys = off');
  store.exec(`insert into highlights select user_id, 'h', 'gone', quote, prefix, suffix, note, folded, created_at,
    updated_at, colour, reviewed_at, reviewed_before, dismissed from highlights limit 1`);
  store.close();
  await expect(moveAll()).rejects.toThrow(
    'The target rejected rows of the table highlights: FOREIGN KEY constraint failed',
  );
});

test('CLI-13: refuses a source and a target that cannot be used, and changes neither', async () => {
  await expect(move(at(source), at(source))).rejects.toMatchObject({ refusal: 'in-use' });
  await expect(move(at(join(folder, 'none.db')), at(target))).rejects.toMatchObject({ refusal: 'missing' });
  await expect(move(at(source), at(filled))).rejects.toMatchObject({ refusal: 'not-empty' });
  const running = await openStorage({ ...at(source), readers: 0 });
  await expect(moveAll()).rejects.toMatchObject({ refusal: 'in-use' });
  await running.close();
  await moveUntil(1);
  await expect(move(at(filled), at(target))).rejects.toMatchObject({ refusal: 'unfinished' });
  const [old, newer, damaged] = ['old', 'newer', 'damaged'].map((name) => join(folder, `${name}.db`));
  const change = async (path = '', sql = '') => {
    await copyFile(filled, path);
    const store = new Sqlite(path);
    store.exec(sql);
    store.close();
  };
  const other = at(join(folder, 'other.db'));
  await change(old, "delete from kysely_migration where name = '0034-users'");
  await expect(move(at(old ?? ''), other)).rejects.toMatchObject({ refusal: 'too-old' });
  await expect(move(at(filled), at(old ?? ''))).rejects.toMatchObject({ refusal: 'too-old' });
  await change(newer, "insert into kysely_migration values ('9999-x', '')");
  await expect(move(at(newer ?? ''), other)).rejects.toMatchObject({ refusal: 'too-new' });
  await expect(move(at(filled), at(newer ?? ''))).rejects.toMatchObject({ refusal: 'too-new' });
  await copyFile(filled, damaged ?? '');
  await truncate(damaged ?? '', 100_000);
  await expect(move(at(damaged ?? ''), other)).rejects.toMatchObject({ refusal: 'damaged' });
  await writeFile(damaged ?? '', 'no store');
  await expect(move(at(filled), at(damaged ?? ''))).rejects.toMatchObject({ refusal: 'not-a-database' });
  await open(filled);
});
