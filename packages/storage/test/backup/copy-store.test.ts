import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, renameSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCAL_USER } from '@recollect/core';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { journalModesOf, makeStore, rowsOf } from './stores.js';

test('REL-7: a copy is one checked file with all rows, made while the store is in use', async () => {
  const store = await makeStore();
  const { storage } = await store.open();
  try {
    const target = join(store.folder, 'copy.db');
    const copy = await storage.copy?.(target);
    const content = await readFile(target);
    expect(copy).toMatchObject({ bytes: content.length, memories: 30 });
    expect(copy?.sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect(journalModesOf(target)).toEqual([1, 1]);
    expect(await rowsOf(target)).toEqual(await rowsOf(store.path));
    expect(readdirSync(store.folder).sort()).toEqual(['copy.db', 'data']);
    expect((await stat(target)).mode & 0o777).toBe(0o600);
  } finally {
    await storage.close();
    await store.remove();
  }
});

test('REL-7: a copy made under load is a snapshot: every capture answered before it began is in it, and none is half', async () => {
  const store = await makeStore(150);
  const { storage, core } = await store.open();
  try {
    const answered: string[] = [];
    let isDone = false;
    const save = async () => {
      for (let number = 0; !isDone; number++) {
        const { answer } = await core.capture(LOCAL_USER, [
          { pageText: `Under load ${number}. ${'word '.repeat(500)}` },
        ]);
        answered.push(answer.captures[0]?.id ?? '');
        // Without pauses, most of the work is captures, for as long as the copy is made.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const saving = save();
    while (answered.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = [...answered];
    const target = join(store.folder, 'copy.db');
    const copy = await storage.copy?.(target);
    isDone = true;
    await saving;
    expect(answered.length).toBeGreaterThan(before.length);
    const database = new Sqlite(target, { readonly: true });
    const ids = database.prepare('select id from memories').pluck().all() as string[];
    const without = database
      .prepare('select count(*) from memories where id not in (select memory_id from chunks)')
      .pluck()
      .get();
    database.close();
    expect(copy?.memories).toBe(ids.length);
    expect(without).toBe(0);
    for (const id of before) expect(ids).toContain(id);
  } finally {
    await storage.close();
    await store.remove();
  }
});

test('BAK-1: a copy does not overwrite a file, and one that is stopped leaves none', async () => {
  const store = await makeStore();
  const { storage } = await store.open();
  try {
    const target = join(store.folder, 'copy.db');
    await expect(storage.copy?.(target, { signal: AbortSignal.abort() })).rejects.toThrow('The backup was stopped.');
    expect(readdirSync(store.folder)).toEqual(['data']);
    await writeFile(target, 'mine');
    await expect(storage.copy?.(target)).rejects.toThrow('EEXIST');
    expect(await readFile(target, 'utf8')).toBe('mine');
  } finally {
    await storage.close();
    await store.remove();
  }
});

test('REL-7: a copy of a damaged store is discarded', async () => {
  const store = await makeStore(200);
  try {
    const content = await readFile(store.path);
    // Rows of an index that no longer match their table: a structure that only a check notices.
    const database = new Sqlite(store.path);
    const page = database.prepare("select rootpage from sqlite_master where name = 'chunks'").pluck().get() as number;
    database.close();
    content.fill(0x5a, (page - 1) * 8192 + 200, page * 8192 - 20);
    await writeFile(store.path, content);
    const { storage } = await store.open();
    const target = join(store.folder, 'copy.db');
    await expect(storage.copy?.(target)).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    expect(readdirSync(store.folder)).toEqual(['data']);
    await storage.close();
    expect(readdirSync(dirname(store.path))).toContain('recollect.db');
  } finally {
    await store.remove();
  }
});

test('REL-6: a copy ends before it opens a file that took the place of the store', async () => {
  const store = await makeStore();
  const { storage } = await store.open();
  try {
    const other = join(store.folder, 'other.db');
    await storage.copy?.(other);
    renameSync(store.path, join(store.folder, 'moved.db'));
    copyFileSync(other, store.path);
    const target = join(store.folder, 'copy.db');
    await expect(storage.copy?.(target)).rejects.toThrow('was removed, moved or replaced. Restart Recollect.');
    expect(readdirSync(store.folder)).not.toContain('copy.db');
  } finally {
    await storage.close();
    await store.remove();
  }
});
