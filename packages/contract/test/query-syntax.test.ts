import {
  formatOperator,
  formatParts,
  joinQuery,
  type Operator,
  operatorNames,
  parseParts,
  type QueryPart,
  readBy,
  readQuery,
  splitQuery,
  unfinishedOperator,
  withOperator,
} from '@recollect/contract/query-syntax';
import { clients, sourceTypes } from '@recollect/contract/vocabulary';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
const piece = fc.oneof(
  anyText,
  fc.constantFrom(
    'tag:',
    '-tag:',
    ' -',
    'tag:"',
    'By:"',
    '"',
    '\\',
    '\\"',
    ' ',
    '\n',
    'site:a',
    ' tag:b" ',
    ' "tea site:a" ',
    'after:2026',
    'after:soon',
    ':',
    'tea',
  ),
);
const query = fc.array(piece).map((pieces) => pieces.join(''));

const month = fc
  .tuple(fc.integer({ min: 1970, max: 2100 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, number]) => `${year}-${`${number}`.padStart(2, '0')}`);
const operator: fc.Arbitrary<Operator> = fc.oneof(
  fc.record({ name: fc.constant('tag' as const), value: anyText.filter((value) => value.trim() !== '') }),
  fc.record({ name: fc.constant('site' as const), value: fc.domain() }),
  fc.record({ name: fc.constant('source' as const), value: fc.constantFrom(...sourceTypes) }),
  fc.record({
    name: fc.constant('by' as const),
    value: fc.tuple(fc.constantFrom(...clients), anyText).map(([client, name]) => `${client}:${name}`),
  }),
  fc.record({ name: fc.constantFrom('after' as const, 'before' as const), value: month }),
  fc.record({
    name: fc.constant('is' as const),
    value: fc.constantFrom('starred', 'unread'),
    isExcluded: fc.constant(true as const),
  }),
);
const words = fc.array(fc.stringMatching(/^[a-zé橋]{1,8}$/), { maxLength: 4 }).map((all) => all.join(' '));

/** The meaning of a part, without its spelling and position. */
const meaning = (part: QueryPart) =>
  part.kind === 'operator' && part.filter !== null
    ? { name: part.name, value: part.value, isExcluded: part.isExcluded }
    : part.text;

describe('the parts of a query', () => {
  test('formatted, parse into the same parts', () => {
    fc.assert(
      fc.property(query, (text) => {
        const parts = parseParts(text);
        expect(parseParts(formatParts(parts)).map(meaning)).toEqual(parts.map(meaning));
      }),
      { numRuns: 2_000 },
    );
  });

  test('QRY-6: cover all of any text except white space, in order', () => {
    fc.assert(
      fc.property(query, (text) => {
        let end = 0;
        for (const part of parseParts(text)) {
          expect(text.slice(end, part.start).trim()).toBe('');
          expect(text.slice(part.start, part.end)).toBe(part.text);
          end = part.end;
        }
        expect(text.slice(end).trim()).toBe('');
      }),
    );
  });

  test('have ranges in UTF-16 code units', () => {
    expect(parseParts('🍵 TAG:"to read" tea')).toEqual([
      { kind: 'word', text: '🍵', start: 0, end: 2 },
      {
        kind: 'operator',
        name: 'tag',
        value: 'to read',
        filter: { tag: 'to read' },
        text: 'TAG:"to read"',
        start: 3,
        end: 16,
      },
      { kind: 'word', text: 'tea', start: 17, end: 20 },
    ]);
  });

  test('include operators with invalid values', () => {
    const valid = (text: string) => parseParts(text).map((part) => part.kind === 'operator' && part.filter !== null);
    for (const text of [
      ...['after:soon', 'before:2026-02-30', 'source:fax', 'by:nobody', 'by:key:', 'tag:""', 'tag:" "', 'tag:'],
      ...['site:', 'site:"two words"', 'site:a|b', 'tag:"open', 'tag:"open\\"'],
    ])
      expect([text, valid(text)]).toEqual([text, [false]]);
    for (const text of ['author:me', 'https://a.example', 'xtag:a', '"tag:a"', '"use tag:a now"', '-"see site:a.org"'])
      expect(parseParts(text), text).toEqual([{ kind: 'word', text, start: 0, end: text.length }]);
  });
});

describe('quotation marks', () => {
  test('contain quotation marks and backslashes after a backslash', () => {
    const typed = String.raw`by:"mcp:My \"Best\" Client" tag:"C:\\ D:\dir"`;
    const operators: Operator[] = [
      { name: 'by', value: 'mcp:My "Best" Client' },
      { name: 'tag', value: String.raw`C:\ D:\dir` },
    ];
    expect(splitQuery(typed)).toEqual({ operators, words: '' });
    expect(operators.map(formatOperator)).toEqual([
      String.raw`by:"mcp:My \"Best\" Client"`,
      String.raw`tag:"C:\\ D:\\dir"`,
    ]);
  });

  test('inside a value without quotation marks stand for themselves, as backslashes do', () => {
    expect(splitQuery(String.raw`tag:5"\"disk`).operators).toEqual([{ name: 'tag', value: String.raw`5"\"disk` }]);
  });

  test('end an operator', () => {
    expect(formatParts(parseParts('tag:"a"tea'))).toBe('tag:a tea');
  });
});

describe('operators and words', () => {
  test('are split from each other, and joined again to the same query', () => {
    fc.assert(
      fc.property(fc.array(operator, { maxLength: 4 }), words, (operators, typed) => {
        expect(splitQuery(joinQuery(operators, typed))).toEqual({ operators, words: typed });
      }),
    );
  });

  test('of any text mean the same after joining', () => {
    fc.assert(
      fc.property(query, (text) => {
        const { operators, words: rest } = splitQuery(text);
        expect(splitQuery(joinQuery(operators, rest))).toEqual({ operators, words: rest });
      }),
      { numRuns: 2_000 },
    );
  });

  test('QRY-8: a minus excludes the memories that an operator selects, except for times', () => {
    const query = 'bees -TAG:"to do" -site:a.org -is:starred -after:2025 x-tag:a';
    const { operators, words: rest, filter } = readQuery(query);
    expect(rest).toBe('bees -after:2025 x-tag:a');
    expect(operators.map(formatOperator)).toEqual(['-tag:"to do"', '-site:a.org', '-is:starred']);
    expect(filter).toEqual({ not: { tag: 'to do', site: 'a.org', starred: true } });
    expect(readQuery('tag:a -tag:b -tag:c -is:generated').filter).toEqual({
      tag: 'a',
      not: { tag: ['b', 'c'], by: 'plugin' },
    });
    expect(withOperator([{ name: 'tag', value: 'a', isExcluded: true }], { name: 'tag', value: 'a' })).toEqual([
      { name: 'tag', value: 'a' },
    ]);
    expect(unfinishedOperator('bees -tag:te')).toEqual({ name: 'tag', value: 'te', start: 5, isExcluded: true });
  });

  test('QRY-8: an operator that is unknown or has an invalid value is words, as typed', () => {
    expect(splitQuery('BY:me  tea tag:x after:"some day"')).toEqual({
      operators: [{ name: 'tag', value: 'x' }],
      words: 'BY:me tea after:"some day"',
    });
    for (const query of [
      'author:me',
      'after:sometime',
      'after:1/2/2026',
      'after:2026-13-40',
      'before:2026-02-30',
      'after:2025-02-29',
      'source:paper',
      'site:',
      'tag:"open',
      'http://a.example',
    ])
      expect(splitQuery(query)).toEqual({ operators: [], words: query });
  });
});

describe('filters', () => {
  test('QRY-8: are read from each operator; several of a name add up, but the last time counts', () => {
    expect(
      readQuery(
        'site:https://MÜNCHEN.example:8443/a tag:a tag:" b " tag:a source:Note after:2025 after:2026 before:2024-02-29 by:WEB is:generated is:starred is:LINK',
      ).filter,
    ).toEqual({
      site: 'xn--mnchen-3ya.example',
      tag: ['a', 'b'],
      sourceType: 'note',
      since: '2026-01-01T00:00:00.000Z',
      until: '2024-02-29T00:00:00.000Z',
      by: ['web', 'plugin'],
      starred: true,
      link: true,
    });
    expect(readQuery('after:soon')).toMatchObject({ filter: {}, invalid: [{ name: 'after', value: 'soon' }] });
  });

  test('take the place of those that they make void', () => {
    const operators = splitQuery('tag:a site:s after:2025').operators;
    const added = splitQuery('tag:a tag:b site:t after:2026').operators;
    expect(added.reduce(withOperator, operators)).toEqual(splitQuery('site:s tag:a tag:b site:t after:2026').operators);
  });

  test('QRY-8: an empty name selects the clients that gave none', () => {
    expect(['mcp:', 'MCP : ', 'mcp', 'mcp: Claude: Code', 'key:', 'key:Phone', 'nobody'].map(readBy)).toEqual([
      'mcp:',
      'mcp:',
      'mcp',
      'mcp:Claude: Code',
      null,
      'key:Phone',
      null,
    ]);
  });
});

describe('the unfinished operator', () => {
  test('is at the end of a query, after a colon or an open quotation mark', () => {
    expect(unfinishedOperator('green tag:')).toEqual({ name: 'tag', value: '', start: 6 });
    expect(unfinishedOperator('TAG:te')).toEqual({ name: 'tag', value: 'te', start: 0 });
    expect(unfinishedOperator('tag:tea tag:"to re')).toEqual({ name: 'tag', value: 'to re', start: 8 });
    expect(unfinishedOperator(String.raw`by:"mcp:My \"Be`)).toEqual({ name: 'by', value: 'mcp:My "Be', start: 0 });
    for (const text of ['', 'tag', 'tag:tea ', 'tag:"tea"', 'tag:"x by:y"', 'http:', 'xtag:a'])
      expect(unfinishedOperator(text), text).toBeNull();
  });

  test('becomes an operator with its value once it is closed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operatorNames), anyText, (name, value) => {
        const typed = formatOperator({ name, value: ` ${value}` });
        expect(unfinishedOperator(typed)).toBeNull();
        expect(unfinishedOperator(typed.slice(0, -1))).toEqual({ name, value: ` ${value}`, start: 0 });
      }),
    );
  });
});
