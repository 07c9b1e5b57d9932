import { splitTags, tagTree } from '@recollect/contract/text';
import { type Core, createCore, RecollectError } from '@recollect/core';
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

const save = async (pageText: string, ...tags: string[]) =>
  (await core.capture(USER, [{ pageText, tags }])).answer.captures[0]?.id ?? '';
const tagsOf = async (id: string) => (await core.memories.get(USER, id)).tags;
const listed = async (query: string) => (await core.query(USER, query)).answer.results.map(({ title }) => title).sort();

test('MEM-19: blank parts of a tag are left out', async () => {
  expect(splitTags('/dev//databases/, a / b , /,//')).toEqual(['dev/databases', 'a/b']);
  expect(await tagsOf(await save('One', 'dev//databases', '/x'))).toEqual(['dev/databases', 'x']);
});

test('MEM-19: a tag finds what is below it, and excludes it', async () => {
  await save('One', 'dev/databases');
  await save('Two', 'development', 'dev-ops');
  await save('Three', 'Dev');
  expect(await listed('tag:dev')).toEqual(['One', 'Three']);
  expect(await listed('tag:"dev/"')).toEqual(['One', 'Three']);
  expect(await listed('tag:DEV/Databases')).toEqual(['One']);
  expect(await listed('-tag:dev')).toEqual(['Two']);
  expect((await core.query(USER, 'tag:/')).answer.warnings?.[0]).toContain('tag:');
});

test('MEM-19: lists what a tree of tags needs', async () => {
  await save('One', 'dev/databases', 'dev/tools');
  await save('Two', 'dev/databases');
  await save('Three', 'tea');
  await save('Four', 'tea/green');
  const list = await core.bulk.tags(USER);
  expect(list.parents).toEqual([{ tag: 'dev', nested: 2 }]);
  expect(list.tags.map(({ tag, memories, nested }) => [tag, memories, nested])).toEqual([
    ['dev/databases', 2, 2],
    ['dev/tools', 1, 1],
    ['tea', 1, 2],
    ['tea/green', 1, 1],
  ]);
  expect(tagTree(list)).toMatchObject([
    { tag: 'dev', memories: 0, nested: 2, children: [{ name: 'databases' }, { name: 'tools' }] },
    { tag: 'tea', memories: 1, nested: 2, children: [{ tag: 'tea/green', name: 'green', children: [] }] },
  ]);
});

test('MEM-19: renaming a tag moves the tags below it, and is undone as one change', async () => {
  const one = await save('One', 'Dev/databases', 'tea');
  const two = await save('Two', 'dev', 'tech/databases');
  const three = await save('Three', 'development');
  const { changed, changeId } = await core.bulk.renameTags(USER, ['dev'], 'tech');
  expect([changed, await tagsOf(one), await tagsOf(two), await tagsOf(three)]).toEqual([
    2,
    ['tech/databases', 'tea'],
    ['tech', 'tech/databases'],
    ['development'],
  ]);
  await core.bulk.undo(USER, changeId ?? '');
  expect([await tagsOf(one), await tagsOf(two)]).toEqual([
    ['Dev/databases', 'tea'],
    ['dev', 'tech/databases'],
  ]);
  // Of several branches, the innermost counts.
  await core.bulk.renameTags(USER, ['dev', 'Dev/databases'], 'x');
  expect([await tagsOf(one), await tagsOf(two)]).toEqual([
    ['x', 'tea'],
    ['x', 'tech/databases'],
  ]);
  await core.bulk.renameTags(USER, ['tech/databases'], 'tech');
  expect(await tagsOf(two)).toEqual(['x', 'tech']);
});

test('MEM-19: refuses to move a tag below itself, and names that become too long', async () => {
  await save('One', `dev/${'x'.repeat(90)}`);
  const refusal = (to: string) =>
    core.bulk.renameTags(USER, ['dev'], to).catch((error) => (error instanceof RecollectError ? error.message : error));
  expect(await refusal('Dev/old')).toBe('The tag dev cannot be moved below itself.');
  expect(await refusal('y'.repeat(20))).toContain('longer than 100 characters');
  expect((await core.bulk.renameTags(USER, ['dev'], 'Dev')).changed).toBe(1);
});

test('MEM-19: removing a tag removes the tags below it', async () => {
  const id = await save('One', 'dev/databases', 'dev', 'development');
  const { changeId } = await core.bulk.removeTags(USER, ['DEV']);
  expect(await tagsOf(id)).toEqual(['development']);
  await core.bulk.undo(USER, changeId ?? '');
  expect(await tagsOf(id)).toEqual(['dev/databases', 'dev', 'development']);
});
