import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compare } from '../src/compare.js';
import { readRequirements } from '../src/read-requirements.js';
import { readTitles } from '../src/read-titles.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Test files, and the cases of the conformance suite. This tool's own tests contain made-up ids and are excluded. */
const files = globSync('{packages,apps,tools}/*/{test/**/*.test.ts,src/testing/**/*-cases.ts}', { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.startsWith('tools/requirements/'));

test('every requirement has a test, and every id in a test title is a requirement', () => {
  const requirements = readRequirements(readFileSync(join(root, 'docs', 'interface.md'), 'utf8'));
  const titles = files.flatMap((path) => readTitles(path, readFileSync(join(root, path), 'utf8')));
  expect(titles.length).toBeGreaterThan(100);
  expect(requirements.filter(({ isPlanned }) => !isPlanned).length).toBeGreaterThan(40);
  expect(compare(requirements, titles)).toEqual([]);
});

describe('planted mismatches', () => {
  const list = '# X\n\n- CAP-1 one\n- CAP-2 two\n- CAP-13 (planned) later\n\n## Planned\n\nKEY-1, KEY-2 (planned).\n';
  const titles = (source: string) => readTitles('x.test.ts', source);

  test('finds none if every requirement has a test', () => {
    const source = "test.skipIf(true)('CAP-1 and CAP-2: a', () => {}); /* CAP-9 */ const other = 'CAP-8';";
    expect(compare(readRequirements(list), titles(source))).toEqual([]);
  });

  test('reports a requirement without a test, even if a comment names it', () => {
    expect(compare(readRequirements(list), titles("// CAP-2\ntest('CAP-1: a', () => {});"))).toEqual([
      'No test title names CAP-2.',
    ]);
  });

  test('reports a requirement that only the long suite tests', () => {
    const source = "test('CAP-1: a', { tags: [] }, () => {}); test('CAP-2: b', { tags: 'long' }, () => {});";
    const expected = ['No test title names CAP-2, except in the long suite.'];
    expect(compare(readRequirements(list), titles(source))).toEqual(expected);
    const inFile = readTitles('x.long.test.ts', "test('CAP-2: b', () => {});");
    expect(compare(readRequirements(list), [...titles("test('CAP-1: a', () => {});"), ...inFile])).toEqual(expected);
  });

  test('reports an unknown id, and a planned requirement with a test', () => {
    const source =
      "it('CAP-1: a', () => {}); check('CAP-2: b', () => {}); test('CAP-77: c', () => {}); test('KEY-1: d', () => {});";
    expect(compare(readRequirements(list), titles(source))).toEqual([
      'KEY-1 is marked as planned, but a test already names it.',
      'A test names CAP-77, which is not a requirement.',
    ]);
  });

  test('throws for an empty list, a duplicate id, and a file that cannot be parsed', () => {
    expect(() => readRequirements('# nothing')).toThrow('No requirement');
    expect(() => readRequirements('- CAP-1 a\n- CAP-1 b\n')).toThrow('twice');
    expect(() => titles('test(')).toThrow('cannot be parsed');
  });
});
