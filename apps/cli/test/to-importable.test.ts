import { ExportRecord, validate } from '@recollect/contract';
import { toSalvagedRecord } from '@recollect/core';
import { expect, test } from 'vitest';
import { toImportable } from '../src/commands/doctor/to-importable.js';

const ID = '01a20601-226e-7000-9c48-2a7754072eb8';
const AT = '2026-11-23T01:20:33.000Z';
const highlight = { id: ID, quote: 'kept', prefix: '', suffix: '', note: null, created_at: AT, updated_at: AT };
const entry = { change_id: ID, kind: 'edited', at: AT, actor: null, fields: '["title"]', former: '{"title":"before"}' };

test('REL-6: what damage has made invalid is left out of a salvaged memory, and the rest is kept', () => {
  const row = { title: 'x'.repeat(20_000), tags: '["a"]', note: 'y'.repeat(30_000), url: 'https://example.com/' };
  const salvaged = toSalvagedRecord(ID, row, {
    text: 'the text',
    picture: { type: 'image/png', data: 7 as never },
    highlights: [highlight, { ...highlight, quote: null }],
    history: [{ ...entry, former: '{"tags":7}' }, entry, { ...entry, former_text: 'the former text' }],
  });
  const record = toImportable(salvaged);
  expect(validate(ExportRecord, record)).toEqual([]);
  expect(record.picture).toBeUndefined();
  expect(record).toMatchObject({
    id: ID,
    title: 'Salvaged memory',
    text: 'the text',
    note: null,
    tags: ['a'],
    url: 'https://example.com/',
    highlights: [{ quote: 'kept' }],
    history: [{ before: { title: 'before' } }, { before: { title: 'before', text: 'the former text' } }],
  });
});

test('REL-6: a memory that is read completely is exported unchanged', () => {
  const salvaged = toSalvagedRecord(ID, { title: 'T' }, { text: 'x', highlights: [highlight], history: [entry] });
  expect(toImportable(salvaged)).toEqual(salvaged);
});
