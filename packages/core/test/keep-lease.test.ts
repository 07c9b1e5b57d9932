import { limits } from '@recollect/contract/limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepLease } from '../src/runners/keep-lease.js';

const { leaseMs } = limits.work;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('REL-10: a lease whose renewals fail is lost when its time is over, and not before', async () => {
  const held = keepLease(() => Promise.reject(new Error('The store is busy.')));
  await vi.advanceTimersByTimeAsync(leaseMs - 1);
  expect([held.isLost(), held.signal.aborted]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  expect([held.isLost(), held.signal.aborted]).toEqual([true, true]);
  held.stop();
});

test('REL-10: a renewal that succeeds keeps the lease from when it was sent', async () => {
  const answers = [true, false];
  const held = keepLease(async (milliseconds) => {
    expect(milliseconds).toBe(leaseMs);
    if (answers.shift()) return true;
    throw new Error('The store is busy.');
  });
  await vi.advanceTimersByTimeAsync(leaseMs + leaseMs / 3 - 1);
  expect(held.isLost()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(held.isLost()).toBe(true);
  held.stop();
});

test('REL-10: a lease that someone else holds is lost at once, and one that is stopped is not watched', async () => {
  const taken = keepLease(async () => false);
  await vi.advanceTimersByTimeAsync(leaseMs / 3);
  expect(taken.isLost()).toBe(true);
  taken.stop();
  expect(vi.getTimerCount()).toBe(0);
});
