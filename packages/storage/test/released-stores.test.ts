import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqliteDialect } from '../dist/sqlite/dialect.js';
import contents from './fixtures/released-stores/contents.json' with { type: 'json' };

const STORES = join(import.meta.dirname, 'fixtures', 'released-stores');
const stores = (await readdir(STORES)).filter((name) => name.endsWith('.gz')).toSorted();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('each store is named after a migration', () => {
  expect(stores.length).toBeGreaterThan(0);
  expect(Object.keys(sqliteDialect.migrations)).toEqual(
    expect.arrayContaining(stores.map((name) => name.replace('.db.gz', ''))),
  );
});

describe.each(stores)('%s', (name) => {
  const open = async () => {
    const storage = await openStorage({ url: `sqlite:${join(folder, name)}`, readers: 0 });
    return { storage, core: createCore(storage) };
  };

  test('REL-9: is migrated with everything that it contains', async () => {
    await writeFile(join(folder, name), gunzipSync(await readFile(join(STORES, name))));
    const { storage, core } = await open();
    const { memories } = await core.memories.list(LOCAL_USER);
    const found = await Promise.all(memories.map(({ id }) => core.memories.get(LOCAL_USER, id)));
    const [tea, bridges, cats, passage] = [...found].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(found).toHaveLength(contents.length - 1);
    const [note, page, chat, selection, deleted] = contents;
    expect(tea).toMatchObject({
      title: note?.title,
      text: note?.pageText,
      tags: note?.tags,
      note: note?.note,
      capturedAt: note?.capturedAt,
      url: null,
      sourceType: 'note',
    });
    expect(bridges).toMatchObject({
      title: page?.title,
      text: page?.pageText,
      url: page?.url,
      metadata: page?.metadata,
    });
    expect(cats).toMatchObject({
      title: chat?.title,
      url: chat?.url,
      sourceType: 'chatgpt',
      captureMode: 'conversation',
    });
    for (const { text } of chat?.messages ?? []) expect(cats?.text).toContain(text);
    expect(passage).toMatchObject({ text: selection?.selection, captureMode: 'selection' });
    const { memories: trash } = await core.trash.list(LOCAL_USER);
    expect(trash.map(({ title }) => title)).toEqual([deleted?.pageText]);
    await storage.close();
  });

  test('REL-9: is sound after the migration, and its indexes cover its content', async () => {
    const database = new Sqlite(join(folder, name), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    const chunks = database.prepare('select count(*) from chunks').pluck().get();
    // The chunk of the memory in the trash has no vector.
    expect(database.prepare('select count(*) from embeddings').pluck().get()).toBe(Number(chunks) - 1);
    database.close();
    const { storage, core } = await open();
    const titlesOf = async (query: string) =>
      (await core.query(LOCAL_USER, query)).answer.results.map(({ title }) => title);
    expect(await titlesOf('steeped')).toEqual(['Green tea']);
    expect(await titlesOf('tag:engineering')).toEqual(['Straße und Brücke']);
    expect(await titlesOf('trash')).toEqual([]);
    await storage.close();
  });

  test('REL-9: takes new captures, recognises duplicates and restores from the trash', async () => {
    const { storage, core } = await open();
    const [tea] = contents;
    const { answer } = await core.capture(LOCAL_USER, [
      { pageText: 'saved after the migration' },
      { pageText: tea?.pageText },
    ]);
    expect(answer.captures.map(({ status }) => status)).toEqual(['created', 'duplicate']);
    const { memories: trash } = await core.trash.list(LOCAL_USER);
    await core.memories.restore(LOCAL_USER, trash[0]?.id ?? '');
    expect((await core.query(LOCAL_USER, 'trash')).answer.results).toHaveLength(1);
    await storage.close();
  });
});
