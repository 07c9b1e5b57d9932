import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNewMemory } from '@recollect/core/testing';
import { dialectOf, openSource, openStorage } from '@recollect/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillStore } from '../move/fill-store.js';
import { exportsOf, move, rowsAfterMove, rowsOf } from '../move/move.js';
import { findServer, hasServer, type TestServer } from './find-server.js';

describe.skipIf(!hasServer)('moving a store on a server (needs RECOLLECT_TEST_POSTGRES_URL: CONTRIBUTING.md)', () => {
  let server: TestServer;
  let folder: string;
  let file: string;
  beforeAll(async () => {
    server = await findServer();
    folder = await mkdtemp(join(tmpdir(), 'recollect-'));
    file = join(folder, 'filled.db');
    await fillStore(file);
  }, 60_000);
  afterAll(async () => {
    server.stop();
    await rm(folder, { recursive: true });
  });
  const createPlace = async () => ({ url: await server.createDatabase() });

  test('CLI-13: moves a file to a database, to another one, and back', async () => {
    const [first, second, last] = [await createPlace(), await createPlace(), join(folder, 'last.db')];
    const exported = await exportsOf({ url: `sqlite:${file}` });
    await move({ url: `sqlite:${file}` }, first);
    await rm(`${file}-move`);
    await move(first, second);
    const { hostname, port, pathname } = new URL(second.url);
    const other = `postgres://recollect_tests@${hostname}:${port}${pathname}`;
    await expect(openStorage(first)).rejects.toMatchObject({ refusal: 'moved', other });
    expect(await exportsOf(second)).toEqual(exported);
    await move(second, { url: `sqlite:${last}` });
    expect(rowsOf(last)).toEqual({ ...rowsAfterMove(rowsOf(file)), index_changes: [] });
  });

  test('CLI-13: a store that was moved can be changed', async () => {
    const place = await createPlace();
    await move({ url: `sqlite:${file}` }, place);
    await rm(`${file}-move`);
    const storage = await openStorage(place);
    const newest = await storage.changes.latest('local');
    await storage.memories.insert('local', [createNewMemory({ chunks: ['Bees dance.'] })], {
      now: new Date(),
      indexing: () => null,
      triggersHooks: true,
    });
    expect(await storage.changes.latest('local')).toBeGreaterThan(newest);
    await storage.close();
  });

  test('CLI-13: continues a move that was stopped, also from a database', async () => {
    const [first, target] = [await createPlace(), join(folder, 'stopped.db')];
    for (const [from, to] of [
      [{ url: `sqlite:${file}` }, first] as const,
      [first, { url: `sqlite:${target}` }] as const,
    ]) {
      const stopping = new AbortController();
      const onProgress = (done: number) => done > 100 && stopping.abort();
      await expect(move(from, to, { signal: stopping.signal, onProgress })).rejects.toThrow('Stopped.');
      await expect(openStorage(to)).rejects.toMatchObject({ refusal: 'unfinished' });
      await move(from, to);
    }
    await rm(`${file}-move`);
    expect(rowsOf(target)).toEqual({ ...rowsAfterMove(rowsOf(file)), index_changes: [] });
  });

  test('CLI-13: refuses a database that a server uses, and locks out servers while it is moved', async () => {
    const [place, target] = [await createPlace(), { url: `sqlite:${join(folder, 'locked.db')}` }];
    const running = await openStorage(place);
    await running.check();
    await expect(move(place, target)).rejects.toMatchObject({ refusal: 'in-use' });
    await expect(move({ url: `sqlite:${file}` }, place)).rejects.toMatchObject({ refusal: 'in-use' });
    await running.close();
    const source = await openSource(dialectOf(place.url), place.url, { readers: 0 });
    await expect(openStorage(place)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await source.store.close();
    await (await openStorage(place)).close();
  });
});
