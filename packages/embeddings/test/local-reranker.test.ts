import { openLocalReranker } from '@recollect/embeddings';
import { reranker } from '@recollect/models/reranker';
import { describe, expect, test } from 'vitest';

const QUESTION = 'What do bees eat?';
const PASSAGES = ['The train was late again.', 'Bees live on nectar and pollen.', 'Bees were painted on the wall.'];

const threads = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort' || resource === 'Worker').length;
const open = (program: string) =>
  openLocalReranker({ ...reranker, program: new URL(`./fixtures/${program}`, import.meta.url) });

describe('the local reranker', () => {
  test('scores the passage that answers the question highest, the same alone and among others', async () => {
    const model = openLocalReranker(reranker);
    const scores = await model.score(QUESTION, PASSAGES);
    expect(scores).toHaveLength(3);
    expect(scores.indexOf(Math.max(...scores))).toBe(1);
    expect(await model.score(QUESTION, PASSAGES.slice(1, 2))).toEqual(scores.slice(1, 2));
    // Published for the weights in float32: 9.33 and -2.04.
    const [paris = 0, berlin = 0] = await model.score('What is the capital of France?', [
      'Paris is the capital of France.',
      'Berlin is the capital of Germany.',
    ]);
    expect([Math.abs(paris - 9.33) < 0.5, Math.abs(berlin + 2.04) < 0.5]).toEqual([true, true]);
    await model.close();
  });

  test('reads the beginning of a passage or a query that is too long, and unusual characters', async () => {
    const model = openLocalReranker(reranker);
    const long = 'word '.repeat(5_000);
    const [first, second] = await model.score(QUESTION, [`${PASSAGES[1]} ${long}`, `${PASSAGES[1]} ${long}${long}`]);
    expect(second).toBe(first);
    for (const score of [...(await model.score(long, [long])), ...(await model.score('', ['', '\u0000\u202e𝄞']))])
      expect(Number.isFinite(score)).toBe(true);
    await model.close();
  });

  test('counts the pieces of a query without its thread', async () => {
    const before = threads();
    const model = openLocalReranker(reranker);
    expect(model.countTokens('Green tea is steeped.')).toBe(6);
    expect(threads()).toBe(before);
    await model.close();
  });

  test('is loaded for the first query, released after a pause, and loaded again for the next query', async () => {
    const before = threads();
    const model = openLocalReranker({ ...reranker, releasedAfter: 50 });
    expect(threads()).toBe(before);
    const scores = await model.score(QUESTION, PASSAGES);
    await expect.poll(threads).toBe(before);
    expect(await model.score(QUESTION, PASSAGES)).toEqual(scores);
    await model.close();
    expect(threads()).toBe(before);
  });

  test('does not score passages after an abort, or after it was closed', async () => {
    const model = openLocalReranker(reranker);
    const stop = new AbortController();
    const stopped = model.score(
      QUESTION,
      Array.from({ length: 200 }, () => PASSAGES.join(' ').repeat(20)),
      { signal: stop.signal },
    );
    const next = model.score(QUESTION, PASSAGES);
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
    expect(await next).toHaveLength(3);
    const last = model.score(QUESTION, PASSAGES).catch((error: Error) => error.message);
    await model.close();
    expect(await last).toBe('The reranker is closed.');
    await expect(model.score(QUESTION, PASSAGES)).rejects.toThrow('closed');
  });
});

describe('the thread of a reranker that dies', () => {
  test('is replaced, and its pair is retried once', async () => {
    const model = open('crashing-reranker-thread.mjs');
    // The thread dies at its second pair.
    expect(await model.score('query', ['a', 'bb', 'ccc', 'dddd'])).toEqual([1, 2, 3, 4]);
    await model.close();
  });

  test('a pair that crashes every thread fails its query, and the next query is scored', async () => {
    const model = open('crashing-reranker-thread.mjs');
    const [deadly, next] = await Promise.allSettled([model.score('query', ['deadly']), model.score('query', ['a'])]);
    expect(deadly).toMatchObject({ status: 'rejected', reason: { message: 'The model crashed.' } });
    expect(next).toEqual({ status: 'fulfilled', value: [1] });
    await model.close();
  });
});
