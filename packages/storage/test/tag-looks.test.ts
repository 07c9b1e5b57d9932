import { readExport, writeExport } from '@recollect/contract';
import { type Core, createCore } from '@recollect/core';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

const USER = 'local';
let storage: Storage;
let core: Core;
beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  core = createCore(storage);
});
afterEach(() => storage.close());

const save = (pageText: string, ...tags: string[]) => core.capture(USER, [{ pageText, tags }]);
const looks = async () =>
  (await core.bulk.tags(USER)).tags.map(({ tag, icon, colour }) => [tag, icon ?? '', colour ?? '']);

test('MEM-20: a tag has an icon and a colour, which move with it', async () => {
  await save('One', 'dev/databases', 'tea');
  expect(await core.tagLooks.change(USER, { tag: 'DEV/Databases', icon: '🗄️' })).toEqual({
    tag: 'DEV/Databases',
    icon: '🗄️',
  });
  await core.tagLooks.change(USER, { tag: 'dev/databases', colour: 'blue' });
  await core.tagLooks.change(USER, { tag: 'dev', colour: 'red' });
  expect((await core.bulk.tags(USER)).parents).toEqual([{ tag: 'dev', nested: 1, colour: 'red' }]);
  const { changeId } = await core.bulk.renameTags(USER, ['dev'], 'tech');
  expect(await looks()).toEqual([
    ['tea', '', ''],
    ['tech/databases', '🗄️', 'blue'],
  ]);
  await core.bulk.undo(USER, changeId ?? '');
  expect(await looks()).toEqual([
    ['dev/databases', '🗄️', 'blue'],
    ['tea', '', ''],
  ]);
  await core.tagLooks.change(USER, { tag: 'dev/databases', icon: null, colour: null });
  expect(await looks()).toContainEqual(['dev/databases', '', '']);
  await expect(core.tagLooks.change(USER, { tag: ' / ', colour: 'red' })).rejects.toThrow('tag must have');
});

test('MEM-20: exports have the icons and colours, and an import adds those that are missing', async () => {
  await save('One', 'dev', 'tea');
  await core.tagLooks.change(USER, { tag: 'dev', colour: 'blue' });
  await core.tagLooks.change(USER, { tag: 'tea', icon: '🍵' });
  const parts = await core.records.headerParts(USER);
  const written = writeExport(core.records.export(USER), { program: 'test', now: new Date(), ...parts });
  const lines: string[] = [];
  for await (const line of written) lines.push(line);
  const other = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    const target = createCore(other);
    await target.tagLooks.change(USER, { tag: 'Dev', colour: 'red' });
    const bytes = async function* () {
      yield new TextEncoder().encode(lines.join(''));
    };
    await target.records.import(USER, readExport(bytes()));
    const { tags } = await target.bulk.tags(USER);
    expect(tags).toMatchObject([
      { tag: 'dev', colour: 'red' },
      { tag: 'tea', icon: '🍵' },
    ]);
    expect(await target.records.headerParts(USER, { query: 'tag:dev' })).toEqual({});
  } finally {
    await other.close();
  }
});
