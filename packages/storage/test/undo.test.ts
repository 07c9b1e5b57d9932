import type { ChangeBody } from '@recollect/contract';
import { type Core, createCore, LOCAL_USER, RecollectError } from '@recollect/core';
import { createFakeClock, createFakeModel, type FakeClock } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const DAY = 86_400_000;
let storage: Storage;
let core: Core;
let clock: FakeClock;

beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  clock = createFakeClock();
  core = createCore({ ...storage, embeddingModel: createFakeModel(), clock });
});
afterEach(() => storage.close());

const save = async (...texts: string[]) => {
  const { answer } = await core.capture(LOCAL_USER, [...texts.map((pageText) => ({ pageText }))]);
  return answer.captures.map(({ id }) => id);
};
const undo = (changeId: string | null) => core.bulk.undo(LOCAL_USER, changeId ?? '');
const lastChange = async (id: string) => (await core.memories.history(LOCAL_USER, id)).history[0]?.changeId ?? '';

/** The fields that an undo restores: everything that a user can change. */
async function stateOf(id: string): Promise<unknown> {
  const memory = await core.memories.get(LOCAL_USER, id).catch(() => null);
  if (memory === null) {
    const { memories } = await core.trash.list(LOCAL_USER);
    return memories.some((deleted) => deleted.id === id) ? 'in the trash' : 'gone';
  }
  const { title, tags, note, text } = memory;
  return { title, tags, note, text };
}

type Step =
  | { kind: 'patch'; title?: string; tags?: string[]; note?: string | null; text?: string }
  | { kind: 'bulk'; body: ChangeBody }
  | { kind: 'rename'; tags: string[]; to: string }
  | { kind: 'untag'; tags: string[] };

const tag = fc.constantFrom('a', 'b', 'c', 'd');
const tags = fc.uniqueArray(tag, { maxLength: 3 });
const someTags = fc.uniqueArray(tag, { minLength: 1, maxLength: 3 });
const word = fc.constantFrom('one', 'two', 'three', 'vier');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({ title: word, tags, note: fc.option(word), text: word }, { requiredKeys: [] })
    .map((patch) => ({ kind: 'patch', ...patch }) as Step),
  fc.record({ addTags: someTags }).map((body) => ({ kind: 'bulk', body }) as Step),
  fc.record({ removeTags: someTags, addTags: tags }).map((body) => ({ kind: 'bulk', body }) as Step),
  fc.constant({ kind: 'bulk', body: { delete: true } } as Step),
  fc.constant({ kind: 'bulk', body: { restore: true } } as Step),
  fc.record({ tags: someTags, to: tag }).map((rename) => ({ kind: 'rename', ...rename }) as Step),
  fc.record({ tags: someTags }).map((untag) => ({ kind: 'untag', ...untag }) as Step),
);

/** Carries out a step, and returns the id of its change; null if it changed nothing. */
async function carryOut(step: Step, id: string): Promise<string | null> {
  if (step.kind === 'bulk') return (await core.bulk.change(LOCAL_USER, { ...step.body, ids: [id] })).changeId;
  if (step.kind === 'rename') return (await core.bulk.renameTags(LOCAL_USER, step.tags, step.to)).changeId;
  if (step.kind === 'untag') return (await core.bulk.removeTags(LOCAL_USER, step.tags)).changeId;
  const { kind: _, ...patch } = step;
  const before = JSON.stringify(await stateOf(id));
  await core.memories.update(LOCAL_USER, id, patch).catch((error) => {
    if (!(error instanceof RecollectError && error.code === 'NOT_FOUND')) throw error;
  });
  return JSON.stringify(await stateOf(id)) === before ? null : lastChange(id);
}

test('MEM-5: undoing changes in reverse order gives the same memory after each of them', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      run += 1;
      // Each run has its own memory, whose address distinguishes its text from the others.
      const capture = { pageText: 'one', url: `https://a.example/${run}`, tags: ['a', 'b'], note: 'first' };
      const id = (await core.capture(LOCAL_USER, [capture])).answer.captures[0]?.id ?? '';
      const done: { changeId: string; before: unknown; after: unknown }[] = [];
      for (const each of steps) {
        const before = await stateOf(id);
        const changeId = await carryOut(each, id);
        if (changeId !== null) done.push({ changeId, before, after: await stateOf(id) });
      }
      for (const { changeId, before, after } of done.reverse()) {
        expect(await stateOf(id)).toEqual(after);
        expect(await undo(changeId)).toMatchObject({ changed: 1 });
        expect(await stateOf(id)).toEqual(before);
      }
      await core.memories.remove(LOCAL_USER, id).catch(() => {});
      await core.trash.empty(LOCAL_USER);
    }),
    { numRuns: process.env.LONG === '1' ? 60 : 25 },
  );
});

describe('undo', () => {
  test('MEM-5: skips and counts memories that were changed again since', async () => {
    const [one = '', two = '', three = '', four = ''] = await save('1', '2', '3', '4');
    const { changeId } = await core.bulk.change(LOCAL_USER, { ids: [one, two, three, four], addTags: ['x'] });
    await core.memories.update(LOCAL_USER, one, { tags: ['mine'] });
    await core.memories.remove(LOCAL_USER, two);
    await core.memories.update(LOCAL_USER, three, { title: 'Another field' });
    expect(await undo(changeId)).toMatchObject({ changed: 2, skipped: 2 });
    const states = await Promise.all([one, two, three, four].map(stateOf));
    expect(states).toMatchObject([{ tags: ['mine'] }, {}, { tags: [], title: 'Another field' }, { tags: [] }]);
    expect(states[1]).toBe('in the trash');
    await core.memories.restore(LOCAL_USER, two);
    await core.memories.update(LOCAL_USER, one, { tags: ['x'] });
    // Memories that are again as the change left them can be undone.
    expect(await undo(changeId)).toMatchObject({ changed: 2, skipped: 2 });
    expect(await Promise.all([one, two].map(stateOf))).toMatchObject([{ tags: [] }, { tags: [] }]);
  });

  test('MEM-5: an undo can be undone', async () => {
    const ids = await save('1', '2');
    const { changeId } = await core.bulk.change(LOCAL_USER, { ids, delete: true });
    const undone = await undo(changeId);
    expect(await stateOf(ids[0] ?? '')).toMatchObject({ text: '1' });
    expect(undone.changeId).toBe(await lastChange(ids[0] ?? ''));
    expect(await undo(undone.changeId)).toMatchObject({ changed: 2, skipped: 0 });
    expect(await Promise.all(ids.map(stateOf))).toEqual(['in the trash', 'in the trash']);
  });

  test('MEM-5: undoes the additions of a request that captured the same page twice', async () => {
    const page = (tag: string) => ({ pageText: 'same', url: 'https://a.example/', tags: [tag], note: tag });
    const { answer } = await core.capture(LOCAL_USER, [page('a')]);
    const id = answer.captures[0]?.id ?? '';
    await core.capture(LOCAL_USER, [page('b'), page('c')]);
    expect(await stateOf(id)).toMatchObject({ tags: ['a', 'b', 'c'] });
    expect(await undo(await lastChange(id))).toMatchObject({ changed: 1, skipped: 0 });
    expect(await stateOf(id)).toMatchObject({ tags: ['a'], note: 'a' });
  });

  test('MEM-5: a text is not undone where another memory has it by then', async () => {
    const [id = ''] = await save('the first text');
    await core.memories.update(LOCAL_USER, id, { text: 'another text', title: 'Kept too' });
    await save('the first text');
    expect(await undo(await lastChange(id))).toMatchObject({ changed: 0, skipped: 1 });
    expect(await stateOf(id)).toMatchObject({ text: 'another text', title: 'Kept too' });
  });

  test('MEM-1: the text of a conversation stays, so that its next capture continues it', async () => {
    const talk = [{ role: 'user', text: 'Hello' }];
    const capture = { messages: talk, url: 'https://chat.example/1' };
    const id = (await core.capture(LOCAL_USER, [capture])).answer.captures[0]?.id ?? '';
    await expect(core.memories.update(LOCAL_USER, id, { text: 'user: Bye', title: 'Talk' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/text' }],
    });
    const more = { ...capture, messages: [...talk, { role: 'assistant', text: 'Hi' }] };
    const { answer } = await core.capture(LOCAL_USER, [more]);
    expect(answer.captures[0]).toMatchObject({ id, status: 'updated' });
    expect(await core.memories.get(LOCAL_USER, id)).toMatchObject({ turns: more.messages });
  });

  test('MEM-5: keeps changes of others while an undo of many memories runs', async () => {
    const ids = await save(...Array.from({ length: 100 }, (_, at) => `text ${at}`));
    const [now = '', deleted = '', later = '', otherField = ''] = [ids[3], ids[4], ids[90], ids[91]];
    const { changeId } = await core.bulk.change(LOCAL_USER, { ids, addTags: ['x'] });
    let isFirst = true;
    const memories: Storage['memories'] = {
      ...storage.memories,
      async changeAll(...args) {
        if (isFirst) {
          isFirst = false;
          for (const id of [now, later]) await core.memories.update(LOCAL_USER, id, { tags: ['mine'] });
          await core.memories.remove(LOCAL_USER, deleted);
          await core.memories.update(LOCAL_USER, otherField, { title: 'Mine' });
        }
        return storage.memories.changeAll(...args);
      },
    };
    const busy = createCore({ ...storage, memories, embeddingModel: createFakeModel(), clock });
    expect(await busy.bulk.undo(LOCAL_USER, changeId ?? '')).toMatchObject({ changed: 97, skipped: 3 });
    expect(await Promise.all([now, deleted, later, otherField].map(stateOf))).toMatchObject([
      { tags: ['mine'] },
      'in the trash',
      { tags: ['mine'] },
      { tags: [], title: 'Mine' },
    ]);
  });

  test('MEM-5: after 30 days, edits can no longer be undone, and their history stays', async () => {
    const [id = ''] = await save('text');
    await core.memories.update(LOCAL_USER, id, { title: 'New' });
    const changeId = await lastChange(id);
    for (let day = 0; day < 31; day++) {
      clock.advance(DAY);
      await core.memories.purge();
    }
    expect(await undo(changeId)).toMatchObject({ changed: 0, skipped: 1 });
    expect((await core.memories.history(LOCAL_USER, id)).history).toMatchObject([{ changeId, fields: ['title'] }]);
  });

  test('MEM-5: undoes a change of 20,000 memories, of which each was changed again', { tags: 'long' }, async () => {
    const ids = Array.from({ length: 20_000 }, (_, at) => `m${at}`);
    const entries = (changeId: string, from: number) =>
      ids.map((memoryId, at) => ({
        position: from + at,
        changeId,
        memoryId,
        kind: 'edited' as const,
        by: null,
        at: '2026-01-31T12:00:00.000Z',
        fields: ['tags' as const],
        before: { tags: ['former'] },
      }));
    const all = Map.groupBy([...entries('c1', 0), ...entries('c2', 20_000)], ({ memoryId }) => memoryId);
    const history = {
      ...storage.history,
      ofChange: async () => entries('c1', 0),
      since: async (_: string, ids: readonly string[]) => ids.flatMap((id) => all.get(id) ?? []),
    };
    const many = createCore({ ...storage, history, clock });
    expect(await many.bulk.undo(LOCAL_USER, 'c1')).toEqual({ changed: 0, skipped: 20_000, changeId: null });
  });

  test("MEM-5: does not know another user's changes", async () => {
    const [id = ''] = await save('text');
    await core.memories.update(LOCAL_USER, id, { title: 'New' });
    const work = core.bulk.undo('bob', await lastChange(id));
    await expect(work).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
