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

test('QRY-8: memories that a plugin wrote are found only on request', async () => {
  const save = async (pageText: string, by: Parameters<Core['capture']>[2]) =>
    (await core.capture(USER, [{ pageText }], by)).answer.captures[0]?.id;
  const digest = { actor: { client: 'plugin', name: 'daily-digest', key: null } } as const;
  const own = await save('Green tea is steeped below boiling.', {});
  const generated: (string | undefined)[] = [];
  for (let day = 1; day <= 12; day++)
    generated.push(await save(`Digest of day ${day}: green tea, green tea, boiling.`, digest));
  const found = async (query: string) =>
    (await core.query(USER, query, { limit: 20 })).answer.results.map(({ id }) => id).sort();
  expect(await found('green tea boiling')).toEqual([own]);
  expect((await core.query(USER, 'green tea', { limit: 1 })).answer.results.map(({ id }) => id)).toEqual([own]);
  for (const operator of ['is:generated', 'IS:Generated', 'by:plugin', 'by:plugin:daily-digest'])
    expect([operator, await found(`${operator} green tea`)]).toEqual([operator, [...generated].sort()]);
  expect((await found('is:generated')).length).toBe(12);
  expect((await core.memories.list(USER)).memories).toHaveLength(13);
  // Words that only look like the operator are words.
  expect((await core.query(USER, 'is: tea')).answer.warnings).toEqual([
    'is: has no value, so it was searched as a word. Write it like is:starred, is:unread, is:inbox, is:later, is:link or is:generated.',
  ]);
  expect((await core.query(USER, 'tea is:new')).answer.warnings).toEqual([
    'The value of is: cannot be read, so it was searched as words. Write it like is:starred, is:unread, is:inbox, is:later, is:link or is:generated.',
  ]);
});
