import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTags, splitTags, tagKey } from '@recollect/contract/text';
import { type Core, createCore } from '@recollect/core';
import { openStorage, type Storage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { revert } from './revert.js';

const USER = 'local';
let storage: Storage;
let core: Core;
beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  core = createCore(storage);
});
afterEach(() => storage.close());

const save = async (pageText: string, ...tags: string[]) =>
  (await core.capture(USER, [{ pageText, tags }])).answer.captures[0]?.id ?? '';
const tagsOf = async (id: string) => (await core.memories.get(USER, id)).tags;
const allTags = async () => (await core.bulk.tags(USER)).tags.map(({ tag, memories }) => ({ tag, memories }));
const found = async (tag: string) =>
  (await core.memories.list(USER, { filter: { tag } })).memories.map(({ id }) => id).sort();

test('MEM-13: tags that differ only in case are one, in the first spelling', async () => {
  const first = await save('One', 'Biology', 'ÉTÉ');
  const second = await save('Two', 'biology', 'BIOLOGY', 'e\u0301te\u0301', 'new');
  expect(await tagsOf(second)).toEqual(['Biology', 'ÉTÉ', 'new']);
  expect(await allTags()).toEqual([
    { tag: 'Biology', memories: 2 },
    { tag: 'ÉTÉ', memories: 2 },
    { tag: 'new', memories: 1 },
  ]);
  expect(await found('bioLOGY')).toEqual([first, second].sort());
  expect((await core.query(USER, 'tag:BIOLOGY')).answer.results).toHaveLength(2);
  expect((await core.memories.counts(USER, { tag: 'été' })).tags).toContainEqual({ value: 'Biology', count: 2 });
  // Also within one request.
  const both = await core.capture(USER, [
    { pageText: 'Three', tags: ['Tea'] },
    { pageText: 'Four', tags: ['tea', 'TEA'] },
  ]);
  expect(await Promise.all(both.answer.captures.map(({ id }) => tagsOf(id)))).toEqual([['Tea'], ['Tea']]);
});

test('MEM-13: tags are added, removed and renamed without regard to case', async () => {
  const id = await save('One', 'recipe', 'Tea');
  await core.memories.update(USER, id, { addTags: ['TEA', 'Hot'], removeTags: ['RECIPE'] });
  expect(await tagsOf(id)).toEqual(['Tea', 'Hot']);
  await core.memories.update(USER, id, { tags: ['tea', 'HOT', 'Tea'] });
  expect(await tagsOf(id)).toEqual(['Tea', 'Hot']);
  await core.bulk.change(USER, { ids: [id], addTags: ['hot', 'cold'], removeTags: ['TEA'] });
  expect(await tagsOf(id)).toEqual(['Hot', 'cold']);
  expect(await core.bulk.renameTags(USER, ['COLD'], 'Cold')).toMatchObject({ matched: 1, changed: 1 });
  expect(await tagsOf(id)).toEqual(['Hot', 'Cold']);
  await core.bulk.renameTags(USER, ['hot', 'cold'], 'warm');
  expect(await tagsOf(id)).toEqual(['warm']);
  await core.bulk.removeTags(USER, ['WARM']);
  expect([await tagsOf(id), await allTags()]).toEqual([[], []]);
  // A tag that no memory has any more may be spelled anew.
  await core.memories.update(USER, id, { tags: ['WARM'] });
  expect(await tagsOf(id)).toEqual(['WARM']);
});

test('MEM-13: a comma separates tags everywhere', async () => {
  const id = await save('One', 'tea, green tea', ',', ' water ,tea');
  expect(await tagsOf(id)).toEqual(['tea', 'green tea', 'water']);
  await core.memories.update(USER, id, { addTags: ['a,b'] });
  expect(await tagsOf(id)).toEqual(['tea', 'green tea', 'water', 'a', 'b']);
  await expect(core.bulk.renameTags(USER, ['a'], 'c,d')).rejects.toThrow(
    'must be a single tag; a comma separates tags',
  );
  expect(readTags(' #tea, # green tea,#, a#b')).toEqual(['tea', ' green tea'.trim(), 'a#b']);
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 }), { maxLength: 8 }), (texts) => {
      const tags = splitTags(texts.join(','));
      expect(splitTags(tags.join(', '))).toEqual(tags);
      for (const tag of tags) expect([tag, tag.includes(',')]).toEqual([tag.trim(), false]);
      expect(new Set(tags.map(tagKey)).size).toBe(tags.length);
    }),
  );
});

test('MEM-13, REL-9: tags of an earlier version are found without regard to case, and do not change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-tags-'));
  const path = join(folder, 'recollect.db');
  try {
    const before = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const old = createCore(before);
    for (const [pageText, tags] of [
      ['One', ['Biology', 'a,b']],
      ['Two', ['biology']],
    ] as const)
      await old.capture(USER, [{ pageText, tags: [...tags].slice(0, 1) }]);
    await before.close();
    // As the version before wrote it.
    const database = new Sqlite(path);
    database.exec(`update memories set tags = '["Biology","biology","a,b"]', seal = null where title = 'One';
      update memories set tags = '["biology"]', seal = null where title = 'Two'`);
    database.close();
    revert(path, '0013-tag-keys');
    const after = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    try {
      const migrated = createCore(after);
      expect((await migrated.bulk.tags(USER)).tags).toMatchObject([
        { tag: 'Biology', memories: 2 },
        { tag: 'a,b', memories: 1 },
      ]);
      const { memories } = await migrated.memories.list(USER, { filter: { tag: 'BIOLOGY' } });
      expect(memories.map(({ tags }) => tags).sort()).toEqual([['Biology', 'biology', 'a,b'], ['biology']]);
      expect((await migrated.memories.list(USER, { filter: { tag: 'A,B' } })).memories).toHaveLength(1);
    } finally {
      await after.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
