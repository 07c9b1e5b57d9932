import { createCapture, createQuery, type QueryOptions } from '@recollect/core';
import {
  createFakeClock,
  createFakeModel,
  createFakeReranker,
  type FakeModel,
  type FakeReranker,
} from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const USER = 'local';
const clock = createFakeClock();
let storage: Storage;
let model: FakeModel;
let reranker: FakeReranker;

beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  model = createFakeModel();
  reranker = createFakeReranker('nectar');
  const capture = createCapture({ ...storage, embeddingModel: model, articleExtractor: null, clock });
  await capture(USER, [
    { title: 'Bees', pageText: 'What do bees eat? Someone asked what bees eat.' },
    { title: 'Hives', pageText: 'Bees fill the combs of the hive with nectar and pollen, which they eat in winter.' },
    { title: 'Trains', pageText: 'The train to the coast was late again.' },
  ]);
});
afterEach(() => storage.close());

const NEVER = 60_000;
const search = async (text: string, options: QueryOptions = {}, carefulMs?: number, busyMs = NEVER) => {
  const query = createQuery({ ...storage, embeddingModel: model, reranker, clock }, { carefulMs, busyMs });
  const { answer } = await query(USER, text, options);
  return { titles: answer.results.map(({ title }) => title), ...answer };
};
const QUESTION = 'what do bees eat';

describe('careful search', () => {
  test('QRY-17: the reranker moves a better answer up, and the answer says so', async () => {
    const usual = await search(QUESTION);
    expect(usual.titles.slice(0, 2)).toEqual(['Bees', 'Hives']);
    expect(usual).not.toHaveProperty('careful');
    expect(reranker.asked).toEqual([]);
    const careful = await search(QUESTION, { careful: true }, NEVER);
    expect(careful.titles.slice(0, 2)).toEqual(['Hives', 'Bees']);
    expect(careful.careful).toBe(true);
    expect(careful).not.toHaveProperty('warnings');
  });

  test('QRY-15, QRY-17: a list of memories of a time keeps its order', async () => {
    const usual = await search('today');
    expect(await search('today', { careful: true }, NEVER)).toEqual(usual);
    expect([usual.titles.length, reranker.asked]).toEqual([3, []]);
    const excluding = await search('today -nectar');
    expect([excluding.titles.length, excluding.warnings]).toEqual([
      3,
      [expect.stringContaining('Add a word without a minus')],
    ]);
  });

  test('QRY-11, QRY-17: a memory whose title is the query stays first', async () => {
    expect((await search('bees', { careful: true }, NEVER)).titles[0]).toBe('Bees');
  });

  test('QRY-17: it reads the words of the query, and the title before each passage', async () => {
    await search(`${QUESTION} after:2020`, { careful: true }, NEVER);
    expect(reranker.asked).toHaveLength(1);
    expect(reranker.asked[0]?.query).toBe(QUESTION);
    expect(reranker.asked[0]?.passages[0]).toBe('Bees\nWhat do bees eat? Someone asked what bees eat.');
  });

  test('QRY-11, QRY-17: no result scores higher than the one before it, and none scores less than without', async () => {
    const usual = await search(QUESTION);
    const careful = await search(QUESTION, { careful: true }, NEVER);
    const scores = careful.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { id, score } of usual.results)
      expect(careful.results.find((result) => result.id === id)?.score).toBeGreaterThanOrEqual(score);
    expect(scores[0]).toBe(usual.results[0]?.score);
  });

  test('QRY-17: a result that the limit would leave out can become the first', async () => {
    expect((await search(QUESTION, { limit: 1 })).titles).toEqual(['Bees']);
    expect((await search(QUESTION, { limit: 1, careful: true }, NEVER)).titles).toEqual(['Hives']);
  });

  test('QRY-17: when it takes too long, the usual order is the answer, which says so', async () => {
    let stopped: AbortSignal | undefined;
    reranker.failure = (signal) => {
      stopped = signal;
      return new Promise(() => {});
    };
    const { titles, warnings, careful } = await search(QUESTION, { careful: true }, 1);
    expect(titles).toEqual((await search(QUESTION)).titles);
    expect(careful).toBeUndefined();
    expect(warnings).toEqual(['Careful search took too long, so the results are in the usual order.']);
    expect(stopped?.aborted).toBe(true);
  });

  test('QRY-17: after a search that took long without it, the usual order is the answer, which says so', async () => {
    const { warnings, careful } = await search(QUESTION, { careful: true }, NEVER, 0);
    expect(careful).toBeUndefined();
    expect(warnings).toEqual(['The machine is too busy for careful search, so the results are in the usual order.']);
    expect(reranker.asked).toEqual([]);
  });

  test('QRY-17: when it fails, the usual order is the answer, which says so', async () => {
    reranker.failure = async () => {
      throw new Error('down');
    };
    const { titles, warnings, careful } = await search(QUESTION, { careful: true }, NEVER);
    expect(titles).toEqual((await search(QUESTION)).titles);
    expect([careful, warnings]).toEqual([undefined, ['Careful search failed, so the results are in the usual order.']]);
  });

  test('QRY-17: without a reranker, the answer says that the order is the usual one', async () => {
    const query = createQuery({ ...storage, embeddingModel: model, clock });
    const { answer } = await query(USER, QUESTION, { careful: true });
    expect(answer.warnings).toEqual(['Careful search is switched off, so the results are in the usual order.']);
    expect(answer.results.length).toBeGreaterThan(0);
    expect(answer).not.toHaveProperty('careful');
  });

  test('QRY-17: a query in another script is not judged', async () => {
    const { warnings } = await search('東京の地質', { careful: true }, NEVER);
    expect(warnings).toEqual([
      'Careful search does not read the script of the query, so the results are in the usual order.',
    ]);
    expect(reranker.asked).toEqual([]);
  });

  test('QRY-17: a long query is not judged', async () => {
    const long = `${QUESTION} ${'in the cold months of the winter '.repeat(5)}`;
    const careful = await search(long, { careful: true }, NEVER);
    expect(careful.titles).toEqual((await search(long)).titles);
    expect(careful.warnings).toEqual([
      'Careful search helps with short queries only, so the results are in the usual order.',
    ]);
    expect(reranker.asked).toEqual([]);
  });

  test('QRY-17: a query of operators alone is a list, which is not judged', async () => {
    expect(await search('after:2020', { careful: true }, NEVER)).not.toHaveProperty('warnings');
    expect(reranker.asked).toEqual([]);
  });

  test('QRY-17: a caller that goes away cancels it', async () => {
    const stop = new AbortController();
    reranker.failure = () => {
      stop.abort(new Error('gone'));
      return new Promise(() => {});
    };
    await expect(search(QUESTION, { careful: true, signal: stop.signal }, NEVER)).rejects.toThrow('gone');
  });
});
