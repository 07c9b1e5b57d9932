import { Readable } from 'node:stream';
import { ExportRecord, readExport, validate, writeExport } from '@recollect/contract';
import { createCore, LOCAL_USER, toSalvagedRecord } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toImportable } from '../src/commands/doctor/salvage-to.js';

const ID = '01a20601-226e-7000-9c48-2a7754072eb8';
const AT = '2026-11-23T01:20:33.000Z';
const highlight = { id: ID, quote: 'kept', prefix: '', suffix: '', note: null, created_at: AT, updated_at: AT };
const entry = { change_id: ID, kind: 'edited', at: AT, actor: null, fields: '["title"]', former: '{"title":"before"}' };

test('REL-6: what damage has made invalid is left out of a salvaged memory, and the rest is kept', () => {
  const row = { title: 'x'.repeat(20_000), tags: '["a"]', note: 'y'.repeat(30_000), url: 'https://example.com/' };
  const salvaged = toSalvagedRecord(ID, row, {
    text: 'the text',
    isWhole: true,
    picture: { type: 'image/png', data: 7 as never },
    highlights: [highlight, { ...highlight, quote: null }],
    history: [{ ...entry, former: '{"tags":7}' }, entry, { ...entry, former_text: 'the former text' }],
  });
  const record = toImportable(salvaged);
  expect(validate(ExportRecord, record)).toEqual([]);
  expect(record.picture).toBeUndefined();
  expect(record).toMatchObject({
    id: ID,
    title: row.title,
    text: 'the text',
    note: null,
    tags: ['a'],
    url: 'https://example.com/',
    highlights: [{ quote: 'kept' }],
    history: [{ before: { title: 'before' } }, { before: { title: 'before', text: 'the former text' } }],
  });
});

test('REL-6: a memory that is read completely is exported unchanged', () => {
  const salvaged = toSalvagedRecord(
    ID,
    { title: 'T' },
    { text: 'x', isWhole: true, highlights: [highlight], history: [entry] },
  );
  expect(toImportable(salvaged)).toEqual(salvaged);
});

test('REL-6, EXP-4: imports the remains of a damaged memory', async () => {
  const broken = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\0',
      'a\0b',
      '\ud83d',
      '2026-91-05T00:00:00Z',
      '[0,7]',
      '[0,0]',
      '{"__proto__":1}',
      '["a\\u0000"]',
    ),
    fc.constantFrom(AT, '{"a":"\\ud83d"}', '[{}]', 'http://', 'https://example.com/', 'x'.repeat(30_000)),
    fc.constantFrom(null, -1, 0, 2, 2 ** 60, 0.5),
  );
  const rowOf = (...columns: string[]) =>
    fc.record(Object.fromEntries(columns.map((column) => [column, broken])), { requiredKeys: [] });
  const row = rowOf(
    ...['title', 'url', 'source_app', 'source_type', 'capture_mode', 'tags', 'note', 'metadata', 'page', 'turns'],
    ...['turn_starts', 'client', 'client_name', 'client_key', 'captured_at', 'last_captured_at', 'updated_at'],
    ...['starred', 'read_state', 'progress', 'opened_at', 'deleted_at'],
  );
  const highlightRow = rowOf('id', 'quote', 'prefix', 'suffix', 'note', 'created_at', 'updated_at');
  const historyRow = rowOf('change_id', 'kind', 'at', 'actor', 'fields', 'former', 'former_text');
  const rows = fc.sample(
    fc.tuple(row, fc.array(highlightRow, { maxLength: 2 }), fc.array(historyRow, { maxLength: 2 }), fc.boolean()),
    { numRuns: 150, seed: 7 },
  );
  const records = rows.map(([fields, highlights, history, isWhole], at) => {
    const id = at === 0 ? 'damaged' : ID.slice(0, -4) + String(at).padStart(4, '0');
    return toImportable(toSalvagedRecord(id, fields, { text: `Text ${at}`, isWhole, highlights, history }));
  });
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const exported = writeExport(Readable.from(records), { program: '1', now: new Date(AT), savedSearches: [] });
  const report = await createCore(storage).records.import(LOCAL_USER, readExport(bytesOf(exported)));
  expect(report.failed).toEqual([]);
  expect(report.created + report.updated + report.duplicates).toBe(records.length);
  await storage.close();
});

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield new TextEncoder().encode(line);
}
