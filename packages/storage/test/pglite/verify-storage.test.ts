import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { LOCAL_USER } from '@recollect/core';
import { verifyStorage } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { afterAll, describe, expect, test } from 'vitest';
import { fillStore } from '../move/fill-store.js';
import { exportsOf, move, rowsAfterMove, rowsOf } from '../move/move.js';
import { createPGliteDialect } from './dialect.js';

describe('PostgreSQL in this process', () => {
  const pglite = new PGlite({ extensions: { vector } });
  const dialect = createPGliteDialect(pglite);
  afterAll(() => pglite.close());
  verifyStorage(test, () => openStorage({ url: 'pglite:', dialect }));

  test('CLI-13: moves each row of a file to PostgreSQL and back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
    const [first, second] = [join(folder, 'first.db'), join(folder, 'second.db')];
    const database = { url: 'pglite:', dialect: createPGliteDialect(pglite, { isKept: true }) };
    await (await openStorage({ url: 'pglite:', dialect })).close();
    await fillStore(first);
    const before = rowsOf(first);
    expect(Object.keys(before).filter((name) => before[name]?.length === 0)).toEqual([]);
    const exported = await exportsOf({ url: `sqlite:${first}` });

    const { rows } = await move({ url: `sqlite:${first}` }, database);
    expect(rows).toMatchObject({ memories: before.memories?.length, embeddings: before.embeddings?.length });
    expect(await exportsOf(database)).toEqual(exported);
    const storage = await openStorage({ url: 'pglite:', dialect: database.dialect });
    const query = { terms: [['steeped']], prefix: null };
    const { hits } = await storage.textIndex.search(LOCAL_USER, query, { limit: 50, filter: {} });
    expect(new Set(hits.map(({ memoryId }) => memoryId)).size).toBe(4);

    await move(database, { url: `sqlite:${second}` });
    // Each person has their own numbers of changes in PostgreSQL, so clients of the file load anew.
    expect(rowsOf(second)).toEqual({ ...rowsAfterMove(before), index_changes: [] });
    expect(await exportsOf({ url: `sqlite:${second}` })).toEqual(exported);
    await expect(openStorage(database)).rejects.toMatchObject({ refusal: 'moved', other: `sqlite:${second}` });
    await pglite.exec('drop table store_mark');
    await rm(folder, { recursive: true });
  });
});
