import type { QueryAnswer } from '@recollect/contract';
import { expect, test } from 'vitest';
import { selectMemories } from '../src/memories/select-memories.js';
import { OUT_OF_TIME } from '../src/retrieval/search-budget.js';

const results = [
  { id: 'found by words and meaning', score: 0.9, match: { text: 0.5, meaning: 0.5 } },
  { id: 'weaker', score: 0.2, match: { text: 0, meaning: 1 } },
  { id: 'far', score: 0.02, match: { text: 0, meaning: 1 } },
  { id: 'found by a word', score: 0.02, match: { text: 1, meaning: 0 } },
];

test('MEM-4: a change leaves out results that have nothing to do with the query, although a search shows them', async () => {
  const query = async () => ({ answer: { query: 'tea', results } as unknown as QueryAnswer });
  // Nothing else of these ports is asked for a query with words.
  const ports = { query, memories: {} } as unknown as Parameters<typeof selectMemories>[0];
  expect(await selectMemories(ports, 'ann', { query: 'tea', delete: true })).toEqual([
    'found by words and meaning',
    'weaker',
    'found by a word',
  ]);
});

test('QRY-21: a change selects nothing by a search that ran out of time', async () => {
  const answer = { query: 'tea', results, warnings: [OUT_OF_TIME] } as unknown as QueryAnswer;
  const ports = { query: async () => ({ answer }), memories: {} } as unknown as Parameters<typeof selectMemories>[0];
  await expect(selectMemories(ports, 'ann', { query: 'tea', delete: true })).rejects.toThrow('took too long');
});
