import { readExport } from '@recollect/contract';
import { expect, test } from 'vitest';

const at = '2026-01-31T12:00:00Z';
const RECORD = {
  id: '019f0c1e-7d3a-7000-8a51-000000000001',
  title: '',
  text: 'x',
  turns: null,
  url: null,
  sourceType: 'note',
  sourceApp: 'web',
  captureMode: 'page',
  tags: [] as string[],
  note: null,
  metadata: {},
  page: {},
  savedBy: null,
  capturedAt: at,
  lastCapturedAt: at,
  updatedAt: at,
  deletedAt: null,
  highlights: [],
  history: [],
};

/** Reads an export with these lines behind its header: the reason of a failure, or the kind of item. */
async function read(...lines: string[]): Promise<string[]> {
  const bytes = async function* () {
    yield Buffer.from(`{"recollect":"export","schema":1,"program":"0","exportedAt":"${at}"}\n`);
    for (const line of lines) yield Buffer.from(`${line}\n`);
  };
  const found: string[] = [];
  for await (const item of readExport(bytes())) found.push(item.kind === 'failure' ? item.reason : item.kind);
  return found;
}

test('EXP-6, SEC-11: a record that no store can keep fails with its reason, and the next one is read', async () => {
  const good = JSON.stringify(RECORD);
  const deep = good.replace('"metadata":{}', `"metadata":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`);
  const halfAndDeep = deep.replace('"title":""', '"title":"\\ud83d"');
  const wide = good.replace('"page":{}', `"page":{${Array.from({ length: 200_001 }, (_, key) => `"${key}":""`)}}`);
  const tagged = JSON.stringify({ ...RECORD, tags: Array.from({ length: 1_001 }, (_, tag) => `tag ${tag}`) });
  expect(await read(deep, good, halfAndDeep, good, wide, good, tagged, good)).toEqual([
    'The line is nested deeper than 32 levels.',
    'record',
    'The line is nested deeper than 32 levels.',
    'record',
    'The line has more than 200000 keys.',
    'record',
    '/tags must have at most 1000 items.',
    'record',
  ]);
});

test('EXP-6, SEC-11: a line with too many keys, values or levels fails, however it is written', async () => {
  const good = JSON.stringify(RECORD);
  const keys = (write: (key: number) => string) => `{${Array.from({ length: 200_001 }, (_, key) => write(key))}}`;
  const within = (metadata: string) => good.replace('"metadata":{}', () => `"metadata":{"a":${metadata}}`);
  const wide = 'The line has more than 200000 keys.';
  const long = 'The line has more than 1000000 values.';
  const deep = 'The line is nested deeper than 32 levels.';
  const cases = [
    [keys((key) => `"${key}" :1`), wide],
    [keys((key) => `"${key}"\t:1`), wide],
    [keys((key) => `"${key}\\\\":1`), wide],
    [`[${'0,'.repeat(1_000_000)}0]`, long],
    [`[${'{},'.repeat(1_000_000)}0]`, long],
    ['['.repeat(1_000_000), deep],
    ['{"a":'.repeat(31), deep],
  ] as const;
  const found = await read(...cases.flatMap(([metadata]) => [within(metadata), good]));
  expect(found).toEqual(cases.flatMap(([, reason]) => [reason, 'record']));
});

test('EXP-6: a header with too many values is not one', async () => {
  const header = `{"recollect":"export","schema":1,"program":"0","exportedAt":"${at}","x":[${'0,'.repeat(1_000_000)}0]}\n`;
  const bytes = async function* () {
    yield Buffer.from(header);
  };
  await expect(readExport(bytes()).next()).rejects.toThrow('not a Recollect export');
});

test('EXP-6: brackets, colons and commas in a text do not count', async () => {
  const text = `${'[{:,'.repeat(1_000_001)}\\"`;
  expect(await read(JSON.stringify({ ...RECORD, text }))).toEqual(['record']);
});

test('EXP-6: a text that quotes JSON has no keys', async () => {
  const text = JSON.stringify({ key: 'value' }).repeat(200_001);
  expect(await read(JSON.stringify({ ...RECORD, text }))).toEqual(['record']);
});

test('EXP-6: the reason for a failed line has the place of the error, but not all of a long key', async () => {
  const reasons = await read(JSON.stringify({ ...RECORD, page: { [`key ${'😀'.repeat(10_000)}`]: 1 } }));
  expect(reasons).toHaveLength(1);
  expect(reasons[0]?.length).toBeLessThan(400);
  expect(reasons[0]?.isWellFormed()).toBe(true);
});
