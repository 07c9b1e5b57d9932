import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangeRun } from '../src/change.js';
import { followChange, IncompleteChangeError } from '../src/follow-change.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const run: ChangeRun = { changeId: 'c', state: 'running', matched: 2_000, examined: 50, changed: 50, problem: null };
const unreachable = () => Promise.reject(new TypeError('fetch failed'));

/** Follows a change whose state is asked for, and gets these answers. */
async function follow(...answers: (() => Promise<ChangeRun>)[]): Promise<unknown> {
  const followed = followChange(run, {
    read: () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? unreachable(),
  });
  const settled = followed.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

test('MEM-4: a poll without a response is retried, since the change is still running', async () => {
  const done = async () => ({ ...run, state: 'done' as const, examined: 2_000, changed: 2_000 });
  expect(await follow(unreachable, unreachable, async () => run, unreachable, done)).toEqual({
    matched: 2_000,
    changed: 2_000,
    changeId: 'c',
  });
});

test('MEM-4: if the server never responds again, the error names the id, with which the change can be undone', async () => {
  const error = await follow(unreachable);
  expect(error).toBeInstanceOf(IncompleteChangeError);
  expect(error).toMatchObject({ changeId: 'c', changed: 50, message: expect.stringContaining('its id is c') });
});

test('MEM-4: an error that the server reports is not retried', async () => {
  const refused = new Error('There is no change with this id.');
  expect(await follow(() => Promise.reject(refused))).toBe(refused);
});
