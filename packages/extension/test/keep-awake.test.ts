import { afterEach, expect, test, vi } from 'vitest';
import { keepAwake } from '../src/background/keep-awake.js';

afterEach(() => void vi.useRealTimers());

test('EXT-5: the service worker calls the browser while it waits, and no longer', async () => {
  vi.useFakeTimers();
  const call = vi.fn();
  const working = keepAwake(call, () => new Promise((resolve) => setTimeout(resolve, 70_000)));
  await vi.advanceTimersByTimeAsync(70_000);
  await working;
  expect(call).toHaveBeenCalledTimes(3);
  await expect(keepAwake(call, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(call).toHaveBeenCalledTimes(3);
});
