import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createDocumentReader } from '../src/sqlite/texts/read-documents.js';
import { createRowReader } from '../src/sqlite/vectors/read-rows.js';
import { recordPlans } from './plans/record-plans.js';

test('REL-28: loading a page of texts or vectors into memory reads no whole table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  const storage = await openStorage({ url: `sqlite:${path}`, readers: 0 });
  const core = createCore({ ...storage, embeddingModel: createFakeModel() });
  const { answer } = await core.capture(LOCAL_USER, [{ pageText: 'green tea' }, { pageText: 'black tea' }]);
  await core.memories.remove(LOCAL_USER, answer.captures[0]?.id ?? '');
  await storage.close();
  const database = new Sqlite(path, { readonly: true });
  const recording = recordPlans();
  try {
    const documents = createDocumentReader(database);
    expect(documents.readPage(0, 10)?.texts.map(({ body }) => body)).toEqual(['black tea']);
    expect(documents.readChanges(0, 10)?.rows).toHaveLength(1);
    const vectors = createRowReader(database);
    expect(vectors.readPage(1, { userId: LOCAL_USER, chunkId: 0 }, 10, () => [])?.rows).toHaveLength(1);
    expect(vectors.readChanges(1, 0)?.rows).toHaveLength(1);
    const steps = recording.planned().flatMap(({ steps }) => steps.map(({ detail }) => detail));
    expect(steps.length).toBeGreaterThan(8);
    expect(steps.filter((step) => /^(?:SCAN (?!.*VIRTUAL TABLE)|BLOOM FILTER)| AUTOMATIC /.test(step))).toEqual([]);
  } finally {
    recording.stop();
    database.close();
    await rm(folder, { recursive: true });
  }
});
