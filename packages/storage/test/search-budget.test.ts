import { createCore, createQuery, LOCAL_USER, systemClock } from '@recollect/core';
import type { Storage } from '@recollect/storage';
import * as sqliteVec from 'sqlite-vec';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../dist/sqlite/open-database.js';
import { createProcedures } from '../dist/sqlite/procedures/procedures.js';
import { openThreadConnection } from '../dist/sqlite/thread-connection.js';
import { createInterruption, createWorkLimit, isOutOfTime } from '../src/sqlite/work-limit.js';
import { openFile } from './open-file.js';

let storage: Storage;

beforeAll(async () => {
  storage = await openFile({ readers: 2 });
  const captures = Array.from({ length: 50 }, (_, at) => ({ title: `Tea ${at}`, pageText: `steeped in water ${at}` }));
  await createCore({ ...storage }).capture(LOCAL_USER, captures);
});
afterAll(() => storage.close());

const reading = { titled: null, memories: { sql: 'select 1', parameters: [] }, count: 0 };
const ask = { terms: { terms: [['water']], prefix: null, phrases: [['in', 'water']] }, embedded: null };

test('QRY-21: work ends at its next check when its budget is used up or its caller goes away', () => {
  const interruption = createInterruption();
  const limit = createWorkLimit(interruption);
  const failureOf = (id: number, budget: number | undefined) =>
    limit.within({ id, budget }, () => {
      try {
        limit.check();
        return null;
      } catch (error) {
        return error as { code?: string };
      }
    });
  expect([failureOf(1, undefined), failureOf(2, 60_000)]).toEqual([null, null]);
  expect(isOutOfTime(failureOf(3, 0))).toBe(true);
  Atomics.store(interruption, 0, 5);
  expect([failureOf(4, undefined), failureOf(5, undefined)?.code]).toEqual([null, 'SQLITE_INTERRUPT']);
  // Between two requests, nothing is limited.
  limit.check();
});

test('QRY-21: a search without time left finds nothing, and says so', async () => {
  const { hybridIndex } = storage;
  const search = (budget: number) => hybridIndex.search(LOCAL_USER, ask, { limit: 10, filter: {}, budget });
  expect(await search(60_000)).toMatchObject({ isPartial: false, spent: expect.any(Number) });
  expect((await search(60_000)).hits).toHaveLength(10);
  expect(await search(0)).toMatchObject({ isPartial: true, hits: [] });
  const words = { words: ['watre', 'stepeed'], beside: [], prefix: null };
  expect(await storage.textIndex.nearestWords(LOCAL_USER, words, { budget: 60_000 })).toEqual(['water', 'steeped']);
  expect(await storage.textIndex.nearestWords(LOCAL_USER, words, { budget: 0 })).toEqual([]);
});

test('QRY-21: a search answers with its hits so far, whenever its time is up', async () => {
  const { location } = await storage.inspector.facts();
  const database = openDatabase({ path: location ?? '', readonly: true }, sqliteVec.load);
  let left = 0;
  const check = () => {
    if (left-- <= 0) throw Object.assign(new Error('over'), { code: 'OUT_OF_TIME' });
  };
  database.function('in_time', () => {
    check();
    return 1;
  });
  const query = { ...ask.terms, excluded: [['not', 'there']] };
  const text = { userId: LOCAL_USER, query, limit: 10, within: null, filter: {} };
  const vectors = { userId: LOCAL_USER, modelId: 1, vector: new Float32Array(8), limit: 10, filter: {}, within: null };
  const partial: number[] = [];
  for (let checks = 0; ; checks++) {
    left = checks;
    const limit = { check, within: <Result>(_: unknown, work: () => Result) => work() };
    const ranking = { weight: 0.5, floor: 0, late: { tokens: new Float32Array(8), weight: 0.5 } };
    const found = createProcedures(database, limit, {}).searchBoth({ text, vectors, ranking, reading }, null, null);
    if (found.isPartial !== true) break;
    partial.push(found.packed.memoryIds.length);
  }
  database.close();
  expect(new Set(partial)).toEqual(new Set([0, 10]));
});

test('QRY-21: a search that ran out of time answers with a warning, and changes nothing in bulk', async () => {
  const core = createCore({ ...storage, queryLimits: { budgetMs: 0, turnMs: 0 } });
  const { answer } = await core.query(LOCAL_USER, '"in water" steeped');
  expect(answer).toMatchObject({ results: [], warnings: [expect.stringContaining('took too long')] });
  await expect(core.bulk.change(LOCAL_USER, { query: '"in water"', delete: true })).rejects.toThrow('took too long');
  expect((await createCore({ ...storage }).query(LOCAL_USER, '"in water" steeped')).answer.warnings).toBeUndefined();
});

test('QRY-21: the first search for near words on a connection may run out of time as well', async () => {
  const fresh = await openFile({ readers: 1 });
  try {
    const uncertain = { words: ['watre'], beside: [], prefix: null };
    expect(await fresh.textIndex.nearestWords(LOCAL_USER, uncertain, { budget: 0 })).toEqual([]);
  } finally {
    await fresh.close();
  }
});

test('QRY-21: a search that exceeded its turn continues beside the others', async () => {
  const { memories, textIndex } = storage;
  const budgets: (number | undefined)[] = [];
  const slow = Promise.withResolvers<void>();
  /** Searches for "slow" take longer than a turn. */
  const hybridIndex: Storage['hybridIndex'] = {
    async search(userId, query, options) {
      const isSlow = query.terms.terms.flat().includes('slow');
      if (isSlow) budgets.push(options.budget);
      if (isSlow && options.budget === 100)
        return { ...(await storage.hybridIndex.search(userId, query, options)), isPartial: true };
      if (isSlow) await slow.promise;
      return storage.hybridIndex.search(userId, query, options);
    },
  };
  const one = () => {
    let last: Promise<unknown> = Promise.resolve();
    return <T>(work: () => Promise<T>): Promise<T> => {
      const next = last.then(work);
      last = next.catch(() => {});
      return next;
    };
  };
  const query = createQuery(
    { memories, textIndex, hybridIndex, embeddingModel: null, clock: systemClock },
    { inTurn: one(), slowly: one(), budgetMs: 1_000, turnMs: 100 },
  );
  const slowly = query(LOCAL_USER, 'slow steeped', { asTyped: true });
  // Would wait for ever if the slow search kept its turn.
  const { answer } = await query(LOCAL_USER, 'steeped water', { asTyped: true });
  expect(answer.results.length).toBeGreaterThan(0);
  slow.resolve();
  expect((await slowly).answer.warnings).toBeUndefined();
  expect(budgets).toEqual([100, 650]);
});

test('QRY-21: a search ends in its thread when its caller goes away, and the thread works for others', async () => {
  const { location } = await storage.inspector.facts();
  const connection = await openThreadConnection({ path: location ?? '', readonly: true });
  try {
    const text = { userId: LOCAL_USER, query: ask.terms, limit: 10, within: null, filter: {} };
    const request = { text, vectors: null, ranking: null, reading };
    const search = (signal?: AbortSignal) => connection.callWithin({ signal })('searchBoth', request, null, null);
    const caller = new AbortController();
    const before = Array.from({ length: 20 }, () => search());
    const ended = search(caller.signal);
    caller.abort();
    await expect(ended).rejects.toMatchObject({ code: 'SQLITE_INTERRUPT' });
    for (const found of [...(await Promise.all(before)), await search()])
      expect(found.packed.memoryIds).toHaveLength(10);
  } finally {
    await connection.close();
  }
});
