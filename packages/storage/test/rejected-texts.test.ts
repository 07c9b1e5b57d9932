import { createCore, LOCAL_USER, TextRejectedError } from '@recollect/core';
import { createFakeModel, type FakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

let storage: Storage;
beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
});
afterEach(() => storage.close());

/** A model that rejects each call with a text that contains one of these words. */
function createFussyModel(id: string, words: readonly string[]): FakeModel & { calls: number } {
  const model = createFakeModel(id);
  return {
    ...model,
    calls: 0,
    async embed(texts, options) {
      this.calls += 1;
      if (texts.some((text) => words.some((word) => text.includes(word)))) throw new TextRejectedError('Status 400.');
      return model.embed(texts, options);
    },
  };
}

const captures = (count: number) => Array.from({ length: count }, (_, at) => ({ pageText: `Text number ${at}.` }));

test('IDX-2: a text that the model rejects stops no other, and is named', async () => {
  const without = createCore(storage);
  await without.capture(LOCAL_USER, captures(25));
  const { answer } = await without.capture(LOCAL_USER, [{ pageText: 'A poisonous text.' }]);
  const [bad] = answer.captures;
  await without.capture(LOCAL_USER, [{ pageText: 'And one after it.' }, ...captures(50).slice(25)]);
  const model = createFussyModel('fussy', ['poisonous']);
  const { indexing } = createCore({ ...storage, embeddingModel: model });
  let last = await indexing.reindex(LOCAL_USER);
  while (last.status === 'pending') last = await indexing.reindex(LOCAL_USER);
  expect([last.status, last.message]).toEqual([
    'completed',
    '1 memory is left, with texts that the model rejects: Status 400.',
  ]);
  expect(await indexing.state(LOCAL_USER)).toMatchObject({
    total: 52,
    withEmbeddings: 51,
    rejected: { count: 1, memories: [bad?.id], reason: 'Status 400.' },
  });
  // It is not sent again and again.
  const { calls } = model;
  await indexing.queueMissing();
  await indexing.runDue();
  expect(model.calls).toBe(calls);
  // Another model may accept it.
  const other = createCore({ ...storage, embeddingModel: createFakeModel('other') });
  while ((await other.indexing.reindex(LOCAL_USER)).status === 'pending');
  expect(await other.indexing.state(LOCAL_USER)).toMatchObject({ withEmbeddings: 52, rejected: { count: 0 } });
});

test('IDX-2: more rejected texts than a batch has do not hide the others, and an edited one is tried again', async () => {
  const without = createCore(storage);
  const bad = await without.capture(
    LOCAL_USER,
    captures(40).map(({ pageText }) => ({ pageText: `Poisonous. ${pageText}` })),
  );
  await without.capture(LOCAL_USER, [{ pageText: 'A fine text.' }]);
  const { indexing, memories } = createCore({ ...storage, embeddingModel: createFussyModel('fussy', ['Poisonous']) });
  const embedAll = async () => {
    while ((await indexing.reindex(LOCAL_USER)).status === 'pending');
    return indexing.state(LOCAL_USER);
  };
  expect(await embedAll()).toMatchObject({ withEmbeddings: 1, rejected: { count: 40 } });
  await memories.update(LOCAL_USER, bad.answer.captures[0]?.id ?? '', {
    title: 'Cured',
    text: 'Nothing is wrong now.',
  });
  expect(await embedAll()).toMatchObject({ withEmbeddings: 2 });
});

test('IDX-2: a long memory whose texts are all rejected does not hide later memories', async () => {
  const without = createCore(storage);
  const sentences = Array.from(
    { length: 4_000 },
    (_, at) => `Sentence ${at} of this text is poisonous, whatever it says.`,
  );
  await without.capture(LOCAL_USER, [{ pageText: sentences.join(' ') }]);
  await without.capture(LOCAL_USER, captures(5));
  const { indexing } = createCore({ ...storage, embeddingModel: createFussyModel('fussy', ['poisonous']) });
  let last = await indexing.reindex(LOCAL_USER);
  while (last.status === 'pending') last = await indexing.reindex(LOCAL_USER);
  expect([last.status, last.message]).toEqual([
    'completed',
    '1 memory is left, with texts that the model rejects: Status 400.',
  ]);
  const state = await indexing.state(LOCAL_USER);
  expect(state).toMatchObject({ total: 6, withEmbeddings: 5, rejected: { count: 1 } });
  // More than one batch of chunks has.
  expect(state.missingChunks).toBeGreaterThan(256);
});

test('CAP-10: a capture of several texts says that one was rejected, and embeds the others', async () => {
  const core = createCore({ ...storage, embeddingModel: createFussyModel('fussy', ['poisonous']) });
  const { embedding, failure } = await core.capture(LOCAL_USER, [
    { pageText: 'One.' },
    { pageText: 'A poisonous text.' },
    { pageText: 'Two.' },
  ]);
  expect([embedding, failure?.reason]).toEqual(['failed', 'Status 400.']);
  expect((await core.indexing.state(LOCAL_USER)).withEmbeddings).toBe(2);
});

test('IDX-2: a model that rejects everything ends the job, and rejected texts that are deleted hide no new ones', async () => {
  const without = createCore(storage);
  const all = Array.from({ length: 300 }, (_, at) => ({ pageText: `Poisonous text ${at}.` }));
  const ids: string[] = [];
  for (let start = 0; start < all.length; start += 100) {
    const { answer } = await without.capture(LOCAL_USER, all.slice(start, start + 100));
    ids.push(...answer.captures.map(({ id }) => id));
  }
  const model = createFussyModel('fussy', ['Poisonous']);
  const { indexing, memories } = createCore({ ...storage, embeddingModel: model });
  let last = await indexing.reindex(LOCAL_USER);
  for (let batches = 1; last.status === 'pending'; batches++) {
    expect(batches).toBeLessThan(50);
    last = await indexing.reindex(LOCAL_USER);
  }
  expect([last.status, last.remaining]).toEqual(['completed', 300]);
  for (const id of ids) await memories.remove(LOCAL_USER, id);
  await without.capture(LOCAL_USER, captures(50));
  await indexing.queueMissing();
  while ((await indexing.reindex(LOCAL_USER)).status === 'pending');
  expect(await indexing.state(LOCAL_USER)).toMatchObject({ total: 50, withEmbeddings: 50 });
});
