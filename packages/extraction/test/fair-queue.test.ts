import { expect, test } from 'vitest';
import { createFairQueue, QueueFullError } from '../src/fair-queue.js';

test('SEC-11: a caller waits for one piece of work of each other caller, not for all of them', async () => {
  const inTurn = createFairQueue({ all: 64, ofCaller: 64 });
  const done: string[] = [];
  const work = (name: string) => async () => {
    await Promise.resolve();
    done.push(name);
    return name;
  };
  const given = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
  const answers = await Promise.all(given.map((name) => inTurn(name.charAt(0), work(name))));
  expect(answers).toEqual(given);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('SEC-11: work that fails ends nothing, and later work runs', async () => {
  const inTurn = createFairQueue({ all: 64, ofCaller: 64 });
  const failing = inTurn('a', async () => {
    throw new Error('broken');
  });
  const next = inTurn('a', async () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('fine');
  expect(await inTurn('b', async () => 'later')).toBe('later');
});

test('SEC-11: work beyond the limits of the queue is rejected, per caller and in total', async () => {
  const inTurn = createFairQueue({ all: 3, ofCaller: 2 });
  const work = async () => 'done';
  const ask = (caller: string) => inTurn(caller, work).catch((error) => error instanceof QueueFullError && 'full');
  // The first one begins at once.
  const callers = ['a', 'a', 'a', 'a', 'b', 'b'];
  expect(await Promise.all(callers.map(ask))).toEqual(['done', 'done', 'done', 'full', 'done', 'full']);
  expect(await ask('a')).toBe('done');
});
