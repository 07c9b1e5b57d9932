import type { Memory } from '@recollect/core';
import { expect, test } from 'vitest';
import { readPassages } from '../src/retrieval/read-passages.js';
import type { MemoryWithResult } from '../src/retrieval/stages/present.js';

const CHUNK = '## Tea\n\nGreen tea steeps at 80 °C.';

/** A result whose excerpt begins in its second line. */
function resultOf(id: string, isWhole: boolean, start: number): MemoryWithResult {
  const passage = { start, end: start + CHUNK.length };
  const result = { id, excerpt: '…Green tea steeps at 80 °C.', match: { passage } };
  return { memory: { id }, result, chunk: CHUNK, isWhole, rank: 1, isNamed: false } as MemoryWithResult;
}

test('retrieval: passages say their headings, and only texts of several chunks are read for them', async () => {
  const asked: (readonly string[])[] = [];
  const before = '# Drinks\n\n';
  const findAll = async (_: string, ids: readonly string[]) => {
    asked.push(ids);
    return ids.map((id) => ({ id, text: before + CHUNK }) as Memory & { text: string });
  };
  const whole = resultOf('whole', true, 0);
  const part = resultOf('part', false, before.length);
  expect(await readPassages({ findAll } as never, 'ann', [whole, part], undefined)).toMatchObject([
    { sections: ['Tea'], offset: 8 },
    { sections: ['Drinks', 'Tea'], offset: before.length + 8 },
  ]);
  expect(asked).toEqual([['part']]);
  const [widened] = await readPassages({ findAll } as never, 'ann', [whole], 100);
  expect(widened?.text).toBe(CHUNK);
  expect(asked).toHaveLength(1);
});
