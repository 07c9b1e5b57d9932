import { expect, test } from 'vitest';
import { describeBacklog } from '../src/terminal/describe-speed.js';

test('who makes the missing embeddings: the server that is running, or a command', () => {
  const speed = { chunksPerSecond: 41.6, secondsLeft: 190 };
  expect(describeBacklog(speed, true)).toBe(
    'The server makes the missing embeddings: 42 chunks a second, about 3 minutes left.',
  );
  expect(describeBacklog(speed, false)).toContain('recollect reindex');
  expect(describeBacklog({ chunksPerSecond: null, secondsLeft: null }, true)).toContain('recollect reindex');
});
