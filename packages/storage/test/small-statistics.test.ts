import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

test('QRY-3: finds a word in a long text while the statistics are from when the store was small', {
  tags: 'long',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-storage-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    // Closing a store updates its statistics.
    const first = await openStorage({ url, readers: 0 });
    await createCore(first).capture('local', [{ pageText: 'one small note' }]);
    await first.close();

    const storage = await openStorage({ url, readers: 0 });
    const core = createCore({ ...storage, embeddingModel: createFakeModel() });
    await core.capture('local', [{ pageText: 'big '.repeat(800_000) }]);
    for (let more = 1; more > 0; ) more = (await core.indexing.runDue({ batchSize: 256 })).pending;
    // Repeating the search for each of the 4,000 chunks would take minutes.
    const { answer, retrieval } = await core.query('local', 'big');
    expect([answer.results.length, retrieval]).toEqual([2, 'hybrid']);
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
