import { type Core, createCore } from '@recollect/core';
import { createFakeClock, type FakeClock } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

const USER = 'local';
const DAY = 86_400_000;
let storage: Storage;
let core: Core;
let clock: FakeClock;
beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  clock = createFakeClock();
  core = createCore({ ...storage, clock });
});
afterEach(() => storage.close());

const ago = (days: number) => new Date(clock.now().getTime() - days * DAY).toISOString();
const save = async (days: number, pageText: string, more: object = {}) => {
  const { answer } = await core.capture(USER, [{ pageText, capturedAt: ago(days), ...more }]);
  return answer.captures[0]?.id ?? '';
};

test('SYS-52: counts what was saved and read by week, in UTC', async () => {
  const id = await save(0, 'word '.repeat(2_000), { url: 'https://tea.example/a', tags: ['tea'] });
  await save(7, 'b', { url: 'https://tea.example/b', tags: ['tea', 'cup'] });
  await save(8, 'c', { url: 'https://oil.example/c' });
  await save(400, 'old');
  await core.memories.remove(USER, await save(0, 'deleted'));
  const before = await core.statistics(USER);
  expect(before).toMatchObject({ memories: 4, highlights: 0 });
  expect(before.weeks).toHaveLength(26);
  const last = before.weeks.at(-1);
  expect(new Date(last?.week ?? '').getUTCDay()).toBe(1);
  expect(Date.parse(last?.week ?? '')).toBeLessThanOrEqual(clock.now().getTime());
  expect(before.weeks.reduce((sum, { saved }) => sum + saved, 0)).toBe(3);
  expect(last).toMatchObject({ saved: 1, opened: 0, read: 0, minutes: 0 });
  expect(before.sites).toEqual([
    { value: 'tea.example', count: 2 },
    { value: 'oil.example', count: 1 },
  ]);
  expect(before.tags[0]).toEqual({ value: 'tea', count: 2 });
  expect(before.months.map(({ total }) => total)).toEqual(before.months.map(({ total }) => total).sort());
  expect(before.months.at(-1)?.total).toBe(4);

  await core.memories.update(USER, id, { progress: 1, opened: true });
  await core.highlights.create(USER, id, { quote: 'word' });
  const after = await core.statistics(USER);
  expect(after.weeks.at(-1)).toMatchObject({ saved: 1, opened: 1, read: 1 });
  expect(after.weeks.at(-1)?.minutes).toBeGreaterThan(2);
  expect(after.highlights).toBe(1);
});

test('SYS-52: keeps an answer until a memory changes, and for a minute', async () => {
  const counted = { saved: 0 };
  const statistics: Storage['statistics'] = {
    ...storage.statistics,
    saved: (...args) => {
      counted.saved += 1;
      return storage.statistics.saved(...args);
    },
  };
  core = createCore({ ...storage, statistics, clock });
  await save(0, 'a');
  const first = await core.statistics(USER);
  expect(await core.statistics(USER)).toBe(first);
  expect((await core.statistics('other')).memories).toBe(0);
  expect(counted.saved).toBe(2);
  await save(0, 'b');
  expect((await core.statistics(USER)).memories).toBe(2);
  clock.advance(61_000);
  await core.statistics(USER);
  expect(counted.saved).toBe(4);
});
