import { expect, test } from 'vitest';
import { shareWork } from '../src/capture/share-work.js';

/** Work that ends when it is told to, or with `stopped` when it is aborted. */
function start() {
  const ending = Promise.withResolvers<string>();
  const work = shareWork((signal) => {
    signal.addEventListener('abort', () => ending.resolve('stopped'));
    return ending.promise;
  });
  return { work, finish: () => ending.resolve('done') };
}

test('CAP-8: a caller that leaves gets its own reason, and the others the result', async () => {
  const { work, finish } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [work.join(first.signal), work.join(second.signal), work.join()];
  first.abort(new Error('first left'));
  await expect(answers[0]).rejects.toThrow('first left');
  finish();
  expect(await Promise.all(answers.slice(1))).toEqual(['done', 'done']);
  second.abort(new Error('too late'));
  expect(await answers[1]).toBe('done');
});

test('CAP-8: the work is aborted once the last caller has left, who learns its result', async () => {
  const { work } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [work.join(first.signal), work.join(second.signal)];
  second.abort(new Error('second left'));
  await expect(answers[1]).rejects.toThrow('second left');
  first.abort();
  expect(await answers[0]).toBe('stopped');
});

test('CAP-8: a caller that had left before it came does not keep the work going', async () => {
  const { work } = start();
  expect(await work.join(AbortSignal.abort())).toBe('stopped');
});
