import { createCore, LOCAL_USER } from '@recollect/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage, type Storage } from '../src/index.js';

const TEXTS = {
  'bare ar': 'هذه مكتبة قديمة في وسط الحي',
  'article ar': 'تقع المكتبة في الحي القديم',
  'with ar': 'ذهبنا إلى البيت وبالمكتبة كتب كثيرة',
  'bare he': 'קראתי ספר חדש אתמול',
  'article he': 'הספר החדש מונח כאן',
  'and he': 'המחברת והספר נמצאים שם',
  other: 'Tea at the library',
};

let storage: Storage;
let find: (query: string) => Promise<string[]>;
beforeAll(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const core = createCore(storage);
  const captures = Object.entries(TEXTS).map(([title, pageText]) => ({ title, pageText }));
  await core.capture(LOCAL_USER, captures);
  find = async (query) => (await core.query(LOCAL_USER, query)).answer.results.map(({ title }) => title);
});
afterAll(() => storage.close());

test.each([
  ['مكتبة', 'bare ar', ['article ar', 'with ar']],
  ['المكتبة', 'article ar', ['bare ar', 'with ar']],
  ['ספר', 'bare he', ['article he', 'and he']],
  ['הספר', 'article he', ['and he', 'bare he']],
  ['والمكتبة', null, ['article ar', 'bare ar', 'with ar']],
  ['מכתבים', null, []],
])('QRY-13: %s finds its forms with and without proclitics, and itself first', async (query, first, others) => {
  const found = await find(query);
  expect(first === null ? null : found[0]).toBe(first);
  expect(found.slice(first === null ? 0 : 1).toSorted()).toEqual(others.toSorted());
});

test('QRY-13, QRY-14: a word that texts have with a proclitic only is not mistyped', async () => {
  const core = createCore(storage);
  await core.capture(LOCAL_USER, [{ title: 'school', pageText: 'في المدرسة أكثر من مدرسه' }]);
  const { answer } = await core.query(LOCAL_USER, 'مدرسة');
  expect([answer.corrected, answer.suggestion, answer.results[0]?.match.terms]).toEqual([
    undefined,
    undefined,
    ['مدرسة'],
  ]);
});
