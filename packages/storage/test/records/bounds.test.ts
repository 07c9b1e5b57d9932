import { type ExportItem, type ImportReport, readExport } from '@recollect/contract';
import { type Core, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

const AT = '2026-01-31T12:00:00.000Z';
const HEADER = { recollect: 'export', schema: 1, program: '0.1.0', exportedAt: AT };
const idOf = (number: number) => `019f0c1e-7d3a-7000-8a51-${String(number).padStart(12, '0')}`;

/** A record with given fields. */
const recordOf = (number: number, fields: object = {}) => ({
  id: idOf(number),
  title: `Memory ${number}`,
  text: `The text of memory ${number}.`,
  turns: null,
  url: null,
  sourceType: 'note',
  sourceApp: 'web',
  captureMode: 'page',
  tags: [],
  note: null,
  metadata: {},
  page: {},
  savedBy: null,
  capturedAt: AT,
  lastCapturedAt: AT,
  updatedAt: AT,
  deletedAt: null,
  highlights: [],
  history: [],
  ...fields,
});

const entryOf = (fields: string[], before: object) => ({
  changeId: idOf(1),
  kind: 'edited',
  at: AT,
  by: null,
  fields,
  before,
});

async function* itemsOf(records: readonly object[]): AsyncGenerator<ExportItem> {
  const lines = [HEADER, ...records, { recollect: 'end', memories: records.length }];
  yield* readExport(
    (async function* () {
      for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
    })(),
  );
}

async function withCore(work: (core: Core) => Promise<void>): Promise<void> {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    await work(createCore({ ...storage, embeddingModel: createFakeModel() }));
  } finally {
    await storage.close();
  }
}

test('EXP-2: an export reads long former texts of one memory at a time', () =>
  withCore(async (core) => {
    const long = 'Tea is steeped. '.repeat(40_000);
    const { answer } = await core.capture(LOCAL_USER, [{ pageText: `1 ${long}` }, { pageText: `2 ${long}` }]);
    const ids = answer.captures.map(({ id }) => id).sort();
    for (const id of ids) await core.memories.update(LOCAL_USER, id, { text: `Short ${id}` });
    const read: string[] = [];
    for await (const { id } of core.records.export(LOCAL_USER)) {
      read.push(id);
      // The unread rest is gone now.
      await core.memories.remove(LOCAL_USER, ids[1] ?? '').catch(() => {});
      await core.trash.empty(LOCAL_USER);
    }
    expect(read).toEqual(ids.slice(0, 1));
  }));

test('EXP-4: a batch of an import is bounded by the length of its lines, regardless of their content', () =>
  withCore(async (core) => {
    const history = [entryOf(['text'], { text: 'x'.repeat(300_000) })];
    const records = [1, 2, 3].map((number) => recordOf(number, { history }));
    const batches: number[] = [];
    const onProgress = ({ created }: ImportReport) => batches.push(created);
    await core.records.import(LOCAL_USER, itemsOf(records), { onProgress });
    expect(batches).toEqual([2, 3]);
  }));

test('EXP-2, EXP-4: a memory with more tags and highlights than a capture may add is restored', () =>
  withCore(async (core) => {
    const tags = Array.from({ length: 150 }, (_, at) => `tag ${at}`);
    const highlights = Array.from({ length: 1_100 }, (_, at) => ({
      id: idOf(at),
      quote: 'text',
      prefix: '',
      suffix: '',
      note: null,
      createdAt: AT,
      updatedAt: AT,
    }));
    const report = await core.records.import(LOCAL_USER, itemsOf([recordOf(1, { tags, highlights })]));
    expect(report).toMatchObject({ created: 1, failed: [] });
    for await (const record of core.records.export(LOCAL_USER)) expect(record).toMatchObject({ tags, highlights });
  }));

test('EXP-4, MEM-10: a history without the values that it names has no such state', () =>
  withCore(async (core) => {
    const history = [entryOf(['tags'], {}), entryOf(['title'], { title: 'Old' })];
    const report = await core.records.import(LOCAL_USER, itemsOf([recordOf(1, { history })]));
    expect(report).toMatchObject({ created: 1, failed: [] });
    expect(await core.memories.history(LOCAL_USER, idOf(1))).toMatchObject({ oldest: 1 });
    expect(await core.memories.state(LOCAL_USER, idOf(1), 1)).toMatchObject({ title: 'Old' });
    const gone = expect.objectContaining({ code: 'NOT_FOUND' });
    await expect(core.memories.state(LOCAL_USER, idOf(1), 0)).rejects.toEqual(gone);
  }));
