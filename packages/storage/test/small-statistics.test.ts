import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

test('QRY-3: a store whose statistics are of a time when it was small finds what is in a long text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-storage-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    // Statistics are taken when a store is closed.
    const first = await openStorage({ url });
    await createCore(first).capture('local', [{ pageText: 'one small note' }]);
    await first.close();

    const storage = await openStorage({ url });
    const core = createCore({ ...storage, embeddingModel: createFakeModel() });
    await core.capture('local', [{ pageText: 'big '.repeat(800_000) }]);
    for (let more = 1; more > 0; ) more = (await core.indexing.runDue({ batchSize: 256 })).pending;
    // Searching anew for each of the 4,000 chunks would take minutes.
    const { answer, retrieval } = await core.query('local', 'big');
    expect([answer.results.length, retrieval]).toEqual([2, 'hybrid']);
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
