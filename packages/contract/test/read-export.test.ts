import { readExport } from '@recollect/contract';
import { expect, test } from 'vitest';

test('EXP-6: the reason for a failed line has the place of the error, but not all of a long key', async () => {
  const at = '2026-01-31T12:00:00Z';
  const record = {
    id: '019f0c1e-7d3a-7000-8a51-000000000001',
    title: '',
    text: 'x',
    turns: null,
    url: null,
    sourceType: 'note',
    sourceApp: 'web',
    captureMode: 'page',
    tags: [],
    note: null,
    metadata: {},
    page: { [`key ${'😀'.repeat(10_000)}`]: 1 },
    savedBy: null,
    capturedAt: at,
    lastCapturedAt: at,
    updatedAt: at,
    deletedAt: null,
    highlights: [],
    history: [],
  };
  const bytes = async function* () {
    yield Buffer.from('{"recollect":"export","schema":1,"program":"0","exportedAt":"2026-01-31T12:00:00Z"}\n');
    yield Buffer.from(`${JSON.stringify(record)}\n`);
  };
  const reasons = [];
  for await (const item of readExport(bytes())) if (item.kind === 'failure') reasons.push(item.reason);
  expect(reasons).toHaveLength(1);
  expect(reasons[0]?.length).toBeLessThan(400);
  expect(reasons[0]?.isWellFormed()).toBe(true);
});
