import { createErrorRecorder, type LoggedError, type StoreProblem } from '@recollect/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FAILURE = { operation: 'query', code: 'INTERNAL', cause: 'TypeError', requestId: 'r1', frames: ['f'] };

/** A log in memory that can fail, beside a store that can have a problem. */
function createRecorder() {
  const writes: (readonly LoggedError[])[] = [];
  const state = { isFailing: false, problem: null as StoreProblem | null };
  const errors = createErrorRecorder({
    errorLog: {
      async add(added) {
        if (state.isFailing) throw new Error('disk');
        writes.push(added);
      },
      latest: async () => {
        if (state.isFailing) throw new Error('disk');
        return [...writes.flat()];
      },
    },
    inspector: { problem: () => state.problem } as Parameters<typeof createErrorRecorder>[0]['inspector'],
    clock: { now: () => new Date() },
  });
  return { errors, state, writes };
}

test('SYS-7: many errors make one write, and equal ones are counted', async () => {
  const { errors, writes } = createRecorder();
  for (let at = 0; at < 5_000; at++) errors.record({ ...FAILURE, requestId: `r${at}` });
  vi.advanceTimersByTime(1);
  errors.record({ ...FAILURE, operation: 'capture' });
  expect(writes).toEqual([]);
  expect(await errors.flush()).toBe(true);
  expect(writes.map((added) => added.map(({ operation, count }) => [operation, count]))).toEqual([
    [
      ['capture', 1],
      ['query', 5_000],
    ],
  ]);
  expect(await errors.flush()).toBe(true);
  expect(writes.length).toBe(1);
});

test('SYS-7: errors stay in memory while the store accepts no changes, and are written afterwards', async () => {
  const { errors, state, writes } = createRecorder();
  state.problem = { code: 'STORE_HALTED', message: 'The disk failed.' };
  errors.record(FAILURE);
  expect(await errors.flush()).toBe(false);
  state.problem = null;
  state.isFailing = true;
  errors.record(FAILURE);
  expect(await errors.flush()).toBe(false);
  expect(writes).toEqual([]);
  expect(await errors.latest(10)).toMatchObject([{ operation: 'query', count: 2 }]);
  state.isFailing = false;
  expect(await errors.flush()).toBe(true);
  expect(writes.flat()).toMatchObject([{ operation: 'query', count: 2 }]);
  expect((await errors.latest(10)).length).toBe(1);
});

test('SYS-7: a limited number of kinds of errors is kept in memory', async () => {
  const { errors, state } = createRecorder();
  state.isFailing = true;
  for (let at = 0; at < 300; at++) {
    vi.advanceTimersByTime(1);
    errors.record({ ...FAILURE, cause: `E${at}` });
  }
  const causes = (await errors.latest(1_000)).map(({ cause }) => cause);
  expect([causes.length, causes[0]]).toEqual([100, 'E299']);
});
