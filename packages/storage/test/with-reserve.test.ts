import type { ExportRecord } from '@recollect/contract';
import { createCore, LOCAL_USER, RecollectError } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';
import { withReserve } from '../src/memories/with-reserve.js';

test('REL-4: space for deletions is used by no capture, highlight or import', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:' });
  try {
    const free = createCore(storage);
    const { answer } = await free.capture(LOCAL_USER, [{ pageText: 'Tea is steeped.' }]);
    const id = answer.captures[0]?.id ?? '';
    const { id: highlight } = await free.highlights.create(LOCAL_USER, id, { quote: 'Tea' });
    const records: ExportRecord[] = [];
    for await (const record of free.records.export(LOCAL_USER)) records.push(record);

    const demand = () => {
      throw new RecollectError('STORE_FULL', 'The disk is full.');
    };
    const full = createCore({ ...storage, ...withReserve(storage, { demand, release: async () => false }) });
    const items = async function* () {
      for (const record of records) yield { kind: 'record' as const, line: 2, length: 100, record };
    };
    const isFull = expect.objectContaining({ code: 'STORE_FULL' });
    await expect(full.capture(LOCAL_USER, [{ pageText: 'More.' }])).rejects.toEqual(isFull);
    await expect(full.records.import(LOCAL_USER, items())).rejects.toEqual(isFull);
    await expect(full.highlights.create(LOCAL_USER, id, { quote: 'steeped' })).rejects.toEqual(isFull);
    await expect(full.highlights.update(LOCAL_USER, highlight, { note: 'n' })).rejects.toEqual(isFull);
    await expect(full.highlights.decide(LOCAL_USER, highlight, 'keep')).rejects.toEqual(isFull);
    await full.highlights.remove(LOCAL_USER, highlight);
    await full.memories.remove(LOCAL_USER, id);
  } finally {
    await storage.close();
  }
});
