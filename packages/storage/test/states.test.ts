import { type Core, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock, createFakeModel, createNewMemory, type FakeClock } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

const DAY = 86_400_000;
let storage: Storage;
let core: Core;
let clock: FakeClock;

beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  clock = createFakeClock();
  core = createCore({ ...storage, embeddingModel: createFakeModel(), clock, historyDays: 2 });
});
afterEach(() => storage.close());

const save = async (pageText: string, url?: string) =>
  (await core.capture(LOCAL_USER, [{ pageText, url }])).answer.captures[0]?.id ?? '';
const present = async (id: string) => {
  const { title, tags, note, text } = await core.memories.get(LOCAL_USER, id);
  return { title, tags, note, text };
};
const state = (id: string, number: number) => core.memories.state(LOCAL_USER, id, number);
const failsWith = (code: string) => expect.objectContaining({ code });

const word = fc.constantFrom('one', 'two', 'three', 'vier');
const patch = fc.record(
  { title: word, tags: fc.uniqueArray(word, { maxLength: 3 }), note: fc.option(word), text: word },
  { requiredKeys: [] },
);

test('MEM-10: values that an edit would clean are restored as they were', async () => {
  const draft = createNewMemory({ tags: ['a, b', 'c'], note: '  padded ' });
  const { id } = draft.memory;
  const plan = { now: new Date(), indexing: () => null, triggersHooks: false };
  await storage.memories.insert(LOCAL_USER, [draft], plan);
  const before = await present(id);
  expect(before).toMatchObject({ tags: ['a, b', 'c'], note: '  padded ' });
  await core.memories.update(LOCAL_USER, id, { tags: ['x'], note: 'y' });
  await core.memories.restoreState(LOCAL_USER, id, 0);
  expect(await present(id)).toEqual(before);
});

test('MEM-10: every state of a memory can be read and restored after any edit', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 6 }), fc.nat(), async (patches, at) => {
      run += 1;
      const id = await save('first', `https://a.example/${run}`);
      const states = [await present(id)];
      for (const each of patches) {
        const { changeId } = await core.memories.update(LOCAL_USER, id, each);
        if (changeId !== null) states.push(await present(id));
      }
      const { history, oldest } = await core.memories.history(LOCAL_USER, id);
      expect([oldest, history.map(({ number }) => number)]).toEqual([
        0,
        states
          .map((_, n) => n)
          .slice(1)
          .reverse(),
      ]);
      for (const [number, then] of states.entries()) expect(await state(id, number)).toMatchObject({ number, ...then });
      const chosen = at % states.length;
      const { changeId } = await core.memories.restoreState(LOCAL_USER, id, chosen);
      expect(await present(id)).toEqual(states[chosen]);
      if (changeId !== null) expect(await core.bulk.undo(LOCAL_USER, changeId)).toMatchObject({ changed: 1 });
      expect(await present(id)).toEqual(states.at(-1));
    }),
    { numRuns: process.env.LONG === '1' ? 40 : 20 },
  );
});

test('MEM-10: a state needs only the values that were replaced since, and is gone without them', async () => {
  const id = await save('first');
  await core.memories.update(LOCAL_USER, id, { text: 'second', title: 'Two' });
  for (let day = 0; day < 3; day++) {
    clock.advance(DAY);
    await core.memories.purge();
  }
  await core.memories.update(LOCAL_USER, id, { text: 'third' });
  expect((await core.memories.history(LOCAL_USER, id)).oldest).toBe(1);
  expect(await state(id, 1)).toMatchObject({ title: 'Two', text: 'second' });
  await expect(state(id, 0)).rejects.toEqual(failsWith('NOT_FOUND'));
  await expect(core.memories.restoreState(LOCAL_USER, id, 0)).rejects.toThrow('no longer kept');
  for (const number of [3, -1, 0.5, Number.NaN])
    await expect(state(id, number)).rejects.toEqual(failsWith('NOT_FOUND'));
  expect(await present(id)).toMatchObject({ title: 'Two', text: 'third' });
});

test('MEM-10: a restored text that another memory of the address has meanwhile changes nothing', async () => {
  const id = await save('first', 'https://a.example/');
  await core.memories.update(LOCAL_USER, id, { text: 'second', title: 'Two' });
  await save('first', 'https://a.example/');
  await expect(core.memories.restoreState(LOCAL_USER, id, 0)).rejects.toEqual(failsWith('MEMORY_DUPLICATE'));
  expect(await present(id)).toMatchObject({ title: 'Two', text: 'second' });
});

test('MEM-10: a conversation that grew is restored without its text', async () => {
  const talk = (...texts: string[]) => ({
    url: 'https://chat.example/1',
    title: 'Talk',
    messages: texts.map((text) => ({ role: 'user', text })),
  });
  const { answer } = await core.capture(LOCAL_USER, [talk('a')]);
  const id = answer.captures[0]?.id ?? '';
  await core.memories.update(LOCAL_USER, id, { title: 'Renamed' });
  await core.capture(LOCAL_USER, [talk('a', 'b')]);
  const { text } = await present(id);
  expect(await state(id, 0)).toMatchObject({ title: 'Talk', text });
  await core.memories.restoreState(LOCAL_USER, id, 0);
  expect(await present(id)).toMatchObject({ title: 'Talk', text });
});

test('MEM-10: keeps the values that a bulk change, a new tag and another capture replaced', async () => {
  const capture = { pageText: 'same', url: 'https://a.example/', tags: ['a'], note: 'n' };
  const { answer } = await core.capture(LOCAL_USER, [capture]);
  const id = answer.captures[0]?.id ?? '';
  await core.bulk.change(LOCAL_USER, { ids: [id], addTags: ['b'] });
  await core.bulk.renameTags(LOCAL_USER, ['b'], 'c');
  await core.capture(LOCAL_USER, [{ ...capture, tags: ['d'], note: 'more' }]);
  await core.bulk.change(LOCAL_USER, { ids: [id], delete: true });
  await core.memories.restore(LOCAL_USER, id);
  const tags = await Promise.all([0, 1, 2, 3, 4, 5].map(async (number) => (await state(id, number)).tags.join()));
  expect(tags).toEqual(['a', 'a,b', 'a,c', 'a,c,d', 'a,c,d', 'a,c,d']);
  expect([(await state(id, 2)).note, (await state(id, 3)).note]).toEqual(['n', (await present(id)).note]);
});

test('MEM-10: the oldest state is known however many changes follow', async () => {
  const id = await save('first');
  await core.memories.update(LOCAL_USER, id, { title: 'Title' });
  const retitle = async () => {
    for (let number = 0; number < 105; number++)
      await core.memories.update(LOCAL_USER, id, { title: `Title ${number}` });
  };
  await retitle();
  expect((await core.memories.history(LOCAL_USER, id)).oldest).toBe(0);
  expect(await state(id, 0)).toMatchObject({ text: 'first' });
  for (let day = 0; day < 3; day++) {
    clock.advance(DAY);
    await core.memories.purge();
  }
  await retitle();
  expect((await core.memories.history(LOCAL_USER, id)).oldest).toBe(106);
  expect(await state(id, 106)).toMatchObject({ title: 'Title 104' });
  await expect(state(id, 105)).rejects.toEqual(failsWith('NOT_FOUND'));
});
