import { exportLineSchema, limits, readExport } from '@recollect/contract';
import { expect, test } from 'vitest';

const SCHEMA = '../../../docs/export.schema.json';

test('EXP-1: docs/export.schema.json is the schema of a line (vitest -u writes it)', async () => {
  await expect(`${JSON.stringify(exportLineSchema, null, 2)}\n`).toMatchFileSnapshot(SCHEMA);
});

test('EXP-6: a line that is too long is left out of memory, and the next one is read', async () => {
  const bytes = async function* () {
    yield Buffer.from('{"recollect":"export","schema":1,"program":"0","exportedAt":"2026-01-31T12:00:00Z"}\r\n');
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let length = 0; length <= limits.transfer.lineBytes; length += part.length) yield part;
    yield Buffer.from('\n{"recollect":"end","memories":1}');
  };
  const items = [];
  for await (const item of readExport(bytes())) items.push(item);
  expect(items).toEqual([
    { kind: 'failure', line: 2, reason: 'The line is too long.' },
    { kind: 'end', memories: 1 },
  ]);
});
