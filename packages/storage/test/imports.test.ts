import { readExport, writeExport } from '@recollect/contract';
import { type Core, createCore, type ExportedItem, type ExportReader } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

const USER = 'local';
let storage: Storage;
let core: Core;
let items: ExportedItem[];

/** Reads the items of a test instead of a file. */
const exportReader: ExportReader = {
  programs: async () => ['Test'],
  records: async () => null,
  async *read() {
    yield { program: 'Test' };
    yield* items;
  },
};

beforeEach(async () => {
  items = [];
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  core = createCore({ ...storage, exportReader, embeddingModel: createFakeModel() });
});
afterEach(() => storage.close());

const link = (name: string, ...tags: string[]): ExportedItem => ({
  capture: { url: `https://a.example/${name}`, title: name, pageText: name, tags },
  isLink: true,
});
const importItems = async (...given: ExportedItem[]) => {
  items = given;
  const report = await core.imports.fromFile(USER, '/links.html', { name: 'links.html' });
  return { ...report, changeId: report.changeId ?? '' };
};
const titles = async () => (await core.memories.list(USER, { sort: 'title' })).memories.map(({ title }) => title);
const idOf = async (title: string) => {
  const { memories } = await core.memories.list(USER);
  return memories.find((memory) => memory.title === title)?.id ?? '';
};
const undo = (changeId: string) => core.bulk.undo(USER, changeId);

test('IMP-12: an import is undone as one change, and the undo too', async () => {
  await core.capture(USER, [{ pageText: 'own', title: 'own' }]);
  const { changeId } = await importItems(link('a'), link('b'), link('c'));
  expect(await core.imports.list(USER)).toMatchObject({
    imports: [{ changeId, name: 'links.html', programs: ['Test'], created: 3, updated: 0, isUndone: false }],
  });
  const undone = await undo(changeId);
  expect(undone).toMatchObject({ changed: 3, skipped: 0 });
  expect(await titles()).toEqual(['own']);
  expect((await core.imports.list(USER)).imports[0]?.isUndone).toBe(true);
  // Nothing is left to undo.
  expect(await undo(changeId)).toEqual({ changed: 0, skipped: 0, changeId: null });
  expect(await undo(undone.changeId ?? '')).toMatchObject({ changed: 3, skipped: 0 });
  expect(await titles()).toEqual(['a', 'b', 'c', 'own']);
  expect((await core.imports.list(USER)).imports[0]?.isUndone).toBe(false);
  expect(await undo(changeId)).toMatchObject({ changed: 3, skipped: 0 });
});

test('IMP-12: an undo restores what an import changed, and leaves what was changed since', async () => {
  await core.capture(USER, [{ url: 'https://a.example/old', title: 'old', pageText: 'A page.', tags: ['mine'] }]);
  const { changeId } = await importItems(link('old', 'theirs'), link('a'), link('b'), link('c'), link('d'));
  expect((await core.memories.get(USER, await idOf('old'))).tags).toEqual(['mine', 'theirs']);
  await core.memories.update(USER, await idOf('a'), { note: 'Read this.' });
  await core.memories.update(USER, await idOf('b'), { progress: 0.5 });
  await core.highlights.create(USER, await idOf('c'), { quote: 'c' });
  const moved = await core.bulk.change(USER, { ids: [await idOf('d')], addTags: ['x'] });
  await undo(moved.changeId ?? '');
  expect(await undo(changeId)).toMatchObject({ changed: 3, skipped: 2 });
  expect(await titles()).toEqual(['a', 'c', 'old']);
  expect((await core.memories.get(USER, await idOf('old'))).tags).toEqual(['mine']);
});

test('IMP-12: an undo leaves memories that came to the trash since, and earlier imports', async () => {
  const first = await importItems(link('a'));
  const second = await importItems(link('a'), link('b'), link('c'));
  expect(second).toMatchObject({ created: 2, duplicates: 1 });
  await core.memories.remove(USER, await idOf('b'));
  expect(await undo(second.changeId)).toMatchObject({ changed: 1, skipped: 0 });
  expect(await titles()).toEqual(['a']);
  expect(await undo(first.changeId)).toMatchObject({ changed: 1 });
  // The trash keeps its memories.
  expect(await importItems(link('a'))).toMatchObject({ created: 0, skippedCount: 1, changeId: '' });
  expect((await core.imports.list(USER)).imports).toHaveLength(2);
});

test('IMP-12: an import of an export of Recollect is undone, also with the histories that it has', async () => {
  const { answer } = await core.capture(USER, [{ title: 'Tea', pageText: 'Green tea.' }, { pageText: 'Gone.' }]);
  const ids = answer.captures.map(({ id }) => id);
  await core.memories.update(USER, ids[0] ?? '', { title: 'Green tea' });
  const lines: string[] = [];
  for await (const line of writeExport(core.records.export(USER), { program: 'test', now: new Date() }))
    lines.push(line);
  for (const id of ids) await core.memories.remove(USER, id);
  await core.trash.empty(USER, { ids });
  const bytes = [new TextEncoder().encode(lines.join(''))];
  const stream = async function* () {
    yield* bytes;
  };
  const { changeId, created } = await core.imports.fromRecords(USER, readExport(stream()));
  expect(created).toBe(2);
  expect(await undo(changeId ?? '')).toMatchObject({ changed: 2, skipped: 0 });
  expect(await titles()).toEqual([]);
});

test('IMP-12: an interrupted import is listed, and can be undone', async () => {
  const stop = new AbortController();
  items = Array.from({ length: 120 }, (_, at) => link(`n${at}`));
  const options = { name: 'links.html', signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) };
  await expect(core.imports.fromFile(USER, '/links.html', options)).rejects.toThrow('stopped');
  const [stored] = (await core.imports.list(USER)).imports;
  expect(stored).toMatchObject({ created: 50, isUndone: false });
  expect(await undo(stored?.changeId ?? '')).toMatchObject({ changed: 50, skipped: 0 });
  expect(await titles()).toEqual([]);
});
