import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Comment, ExportRecord } from '@recollect/contract';
import { type Core, createCore, type EmbeddingModel, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSalvage } from '../dist/sqlite/salvage/salvage.js';

const url = 'https://news.example/lamps';
const pageText = 'The harbour lamps went dark on Tuesday.';
const ann = { author: 'Ann', published: '2026-11-01T09:00:00.000Z', text: 'The valve again.' };
const bo = { author: 'Bo', text: 'It never froze before.' };
const cleo = { author: 'Cleo', text: 'Well said!' };

let folder: string;
let storage: Storage;
let core: Core;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  storage = await openStorage({ url: `sqlite:${join(folder, 'recollect.db')}`, readers: 0 });
  core = createCore(storage);
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

async function save(comments: Comment[] | undefined, text = pageText) {
  const { answer } = await core.capture(LOCAL_USER, [{ url, pageText: text, comments }]);
  return answer.captures[0] ?? { id: '', status: '' };
}
const read = (id: string) => core.memories.get(LOCAL_USER, id);

test('CAP-22: a capture of the same text adds comments and removes none, and a version has its own', async () => {
  const { id } = await save([ann, bo]);
  expect(await read(id)).toMatchObject({ text: pageText, comments: [ann, bo], damaged: false });
  expect(await save([bo, cleo])).toMatchObject({ id, status: 'duplicate' });
  await save(undefined);
  expect(await read(id)).toMatchObject({ comments: [ann, bo, cleo], damaged: false });
  const version = await save([cleo], `${pageText} They burn again.`);
  expect((await read(version.id)).comments).toEqual([cleo]);
  expect((await read(id)).comments).toEqual([ann, bo, cleo]);
});

test('CAP-22: comments stay through changes of the text, the trash, and a link that becomes its page', async () => {
  const { answer } = await core.capture(LOCAL_USER, [{ url }]);
  const { id } = await save([ann]);
  expect(id).toBe(answer.captures[0]?.id);
  await core.memories.update(LOCAL_USER, id, { text: 'Corrected.' });
  await core.memories.remove(LOCAL_USER, id);
  await core.memories.restore(LOCAL_USER, id);
  expect(await read(id)).toMatchObject({ text: 'Corrected.', comments: [ann], damaged: false });
});

test('CAP-22: keeps comments within the limits, and saves none with a selection', async () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ author: 'Ann', text: `${at} ${'lamp '.repeat(60)}` }));
  const { id } = await save(many);
  const kept = (await read(id)).comments;
  expect(kept.map(({ text }) => text.length).reduce((a, b) => a + b)).toBeLessThanOrEqual(100_000);
  expect(kept).toEqual(many.slice(0, kept.length).map((comment) => ({ ...comment, text: comment.text.trim() })));
  const selected = await core.capture(LOCAL_USER, [{ url, selection: 'The harbour', comments: [ann] }]);
  expect((await read(selected.answer.captures[0]?.id ?? '')).comments).toEqual([]);
});

test('CAP-22: an export has comments, and an import adds those that are missing', async () => {
  const { id } = await save([ann, bo]);
  const records: ExportRecord[] = [];
  for await (const read of storage.records.scan(LOCAL_USER, EVERYTHING)) records.push(read);
  const [record] = records;
  expect(record?.comments).toEqual([ann, bo]);
  const other = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    const copy = createCore(other);
    await copy.capture(LOCAL_USER, [{ url, pageText, comments: [cleo] }]);
    const items = async function* () {
      if (record !== undefined) yield { kind: 'record' as const, line: 2, length: 1, record };
    };
    expect(await copy.imports.fromRecords(LOCAL_USER, items())).toMatchObject({ updated: 1 });
    expect(await copy.imports.fromRecords(LOCAL_USER, items())).toMatchObject({ duplicates: 1 });
    const [memory] = (await copy.memories.list(LOCAL_USER)).memories;
    expect((await copy.memories.get(LOCAL_USER, memory?.id ?? '')).comments).toEqual([cleo, ann, bo]);
  } finally {
    await other.close();
  }
  expect((await read(id)).comments).toEqual([ann, bo]);
});

const EVERYTHING = { filter: {}, changedSince: null, previousLength: 1_000 };

test('CAP-22: the checksum of a memory covers its comments, and salvage reads them', async () => {
  const { id } = await save([ann]);
  const salvaged = await openSalvage(`sqlite:${join(folder, 'recollect.db')}`, folder);
  expect([...salvaged.memories()]).toMatchObject([{ record: { id, comments: [ann] }, isWhole: true }]);
  await salvaged.close();
  const database = new Sqlite(join(folder, 'recollect.db'));
  database.exec(`update memories set comments = replace(comments, 'valve', 'value')`);
  database.close();
  expect(await read(id)).toMatchObject({ comments: [{ ...ann, text: 'The value again.' }], damaged: true });
});

const search = async (words: string) => (await core.query(LOCAL_USER, words)).answer;

test('QRY-22: finds words of comments below texts with the words, and says whose comment it is', async () => {
  const { id } = await save([ann, bo, { author: 'Dora', text: 'A frozen **sprocket** did the same in Hull.' }]);
  const { answer } = await core.capture(LOCAL_USER, [{ pageText: 'Each sprocket of the clock is made of brass.' }]);
  const other = answer.captures[0]?.id;
  const { results } = await search('sprocket');
  expect(results.map((result) => result.id)).toEqual([other, id]);
  expect(results[1]).toMatchObject({
    excerpt: 'A frozen sprocket did the same in Hull.',
    match: { terms: ['sprocket'], passage: { start: 0, end: 0 }, comment: { author: 'Dora' } },
  });
  expect(results[0]?.match.comment).toBeUndefined();
  expect((await search('frozen sprocket hull')).results.map((result) => result.id)).toContain(id);
  expect((await search('lamps')).results[0]?.match.comment).toBeUndefined();
});

test('QRY-22: words that only comments have are known, also unfinished, as a phrase and in the trash', async () => {
  const { id } = await save([{ author: 'Dora', text: 'A frozen sprocket did the same in Hull.' }]);
  const found = async (words: string) => (await search(words)).results.map((result) => result.id);
  expect((await search('sprocket')).corrected).toBeUndefined();
  for (const words of ['sprocket', 'sprock', '"frozen sprocket"', 'dora', 'sproket'])
    expect(await found(words), words).toEqual([id]);
  expect(await found('"sprocket frozen"')).toEqual([]);
  expect(await found('lamps -sprocket')).toEqual([id]);
  await core.memories.update(LOCAL_USER, id, { text: 'Corrected.' });
  expect(await found('sprocket')).toEqual([id]);
  await save([bo, { author: 'Eve', text: 'Try a zincblock.' }], 'Corrected.');
  expect(await found('zincblock')).toEqual([id]);
  await core.memories.remove(LOCAL_USER, id);
  expect(await found('sprocket')).toEqual([]);
  await core.memories.restore(LOCAL_USER, id);
  expect(await found('sprocket')).toEqual([id]);
});

test('QRY-22: shows a comment that has the words although another part of the text is nearer by meaning', async () => {
  const model = createFakeModel();
  // To this model, ferries and sprockets are one subject.
  const near = (text: string) => text.replace(/frozen sprocket/g, 'ferry');
  const profile = { ...model.profile, fusionWeight: 0.9 };
  const embeddingModel: EmbeddingModel = {
    ...model,
    profile,
    embed: (texts, options) => model.embed(texts.map(near), options),
  };
  const withModel = createCore({ ...storage, embeddingModel });
  const parts = ['harbour', 'lamps', 'council', 'ferry'].map((word) => `The ${word} of the town. `.repeat(60));
  const comments = [{ author: 'Dora', text: 'A frozen sprocket did the same in Hull.' }];
  await withModel.capture(LOCAL_USER, [{ url, pageText: parts.join('\n\n'), comments }]);
  const { answer } = await withModel.query(LOCAL_USER, 'frozen sprocket');
  expect(answer.results).toMatchObject([
    { excerpt: 'A frozen sprocket did the same in Hull.', match: { comment: { author: 'Dora' } } },
  ]);
  const { answer: ofText } = await withModel.query(LOCAL_USER, 'council');
  expect(ofText.results[0]?.match.comment).toBeUndefined();
});
