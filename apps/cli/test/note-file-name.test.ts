import type { ExportRecord } from '@recollect/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { noteFileName, toNote } from '../src/transfer/write-folder.js';

const id = fc.uuid();
const title = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    'CON',
    'con.txt',
    'nul',
    'LPT1 .x',
    'a/b\\c',
    '...',
    ' . ',
    'é'.normalize('NFD'),
    'x'.repeat(500),
    '\ud800',
    'AUX',
    '-rf',
    '~root',
  ),
);

test('EXP-9: every name of a file is valid on every system, stable, and differs without regard to case', () => {
  fc.assert(
    fc.property(title, id, id, (name, one, two) => {
      const file = noteFileName({ id: one, title: name });
      expect(noteFileName({ id: one, title: name })).toBe(file);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: file systems do not allow them.
      expect(file).not.toMatch(/[\u0000-\u001f<>:"/\\|?*#^[\]]/);
      expect(file).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\s*(?:\.|$)/i);
      expect(file).not.toMatch(/^[-~+]/);
      expect(file).toMatch(/^[^\s.].*[0-9a-f]{12}\.md$/u);
      expect(file).not.toMatch(/\s\.md$/);
      expect(Buffer.byteLength(file)).toBeLessThanOrEqual(143);
      expect(file.normalize('NFC')).toBe(file);
      expect(file.isWellFormed()).toBe(true);
      if (one.slice(-12) !== two.slice(-12))
        expect(noteFileName({ id: two, title: name.toUpperCase() }).toLowerCase()).not.toBe(file.toLowerCase());
    }),
    { numRuns: 500 },
  );
});

const AT = '2026-01-31T12:00:00.000Z';

test('EXP-9: front matter is YAML that reads back, and tags are tags of Obsidian', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 80 });
  fc.assert(
    fc.property(text, fc.option(text), fc.array(text, { maxLength: 5 }), id, (named, note, tags, one) => {
      const record = { ...RECORD, id: one, title: named, note, tags, highlights: [] };
      const [, front = ''] = /^---\n(.*?\n)---\n/s.exec(toNote(record)) ?? [];
      const properties = parse(front);
      expect([properties.title, properties.note ?? null, properties.id]).toEqual([named, note, one]);
      for (const tag of properties.tags ?? []) {
        expect(tag).not.toMatch(/[\s#,]/);
        expect(tag).not.toMatch(/^\d*$/);
      }
    }),
    { numRuns: 300 },
  );
});

test('EXP-9: highlights are quotes below the text', () => {
  const highlight = {
    id: RECORD.id,
    quote: 'one\ntwo',
    prefix: '',
    suffix: '',
    note: 'Mine',
    createdAt: AT,
    updatedAt: AT,
  };
  expect(toNote({ ...RECORD, highlights: [highlight] })).toBe(
    `---\ntitle: T\nurl: https://a.example\ncreated: 2026-01-31T12:00:00\nmodified: 2026-01-31T12:00:00\nsource: web\nid: ${RECORD.id}\n---\n\n# T\n\nText.\n\n## Highlights\n\n> one\n> two\n\nMine\n`,
  );
});

const RECORD: ExportRecord = {
  id: '019f0c1e-7d3a-7000-8a51-3c1b2f4d5e6f',
  title: 'T',
  text: 'Text.',
  turns: null,
  url: 'https://a.example',
  sourceType: 'url',
  sourceApp: 'web',
  captureMode: 'page',
  tags: [],
  note: null,
  metadata: {},
  page: {},
  savedBy: null,
  capturedAt: AT,
  lastCapturedAt: AT,
  updatedAt: AT,
  deletedAt: null,
  highlights: [],
  history: [],
};
