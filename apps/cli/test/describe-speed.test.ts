import type { Status } from '@recollect/contract';
import { expect, test } from 'vitest';
import { describeBacklog } from '../src/terminal/progress.js';

const job = (status: 'pending' | 'failed'): Status['embeddings']['latestJob'] => ({
  id: 'a',
  status,
  remainingCount: 9,
  processedCount: 0,
  model: null,
  error: null,
  createdAt: '2026-03-01T08:00:00.000Z',
  updatedAt: '2026-03-01T08:00:00.000Z',
});

test('who makes the missing embeddings: the server if it is at work, or else a command', () => {
  const speed = { secondsLeft: 190 };
  expect(describeBacklog({ ...speed, latestJob: job('pending') }, true)).toBe(
    'The server makes the missing embeddings: about 3 minutes left.',
  );
  const reindex = 'Make the missing embeddings with: recollect reindex';
  expect(describeBacklog({ ...speed, latestJob: job('pending') }, false)).toBe(reindex);
  // A failed job is not at work, even beside a running server.
  expect(describeBacklog({ ...speed, latestJob: job('failed') }, true)).toBe(reindex);
  expect(describeBacklog({ ...speed, latestJob: null }, true)).toBe(reindex);
  expect(describeBacklog({ secondsLeft: null, latestJob: job('pending') }, true)).toBe(reindex);
});
