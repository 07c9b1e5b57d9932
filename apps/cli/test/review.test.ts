import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportOf } from './export-of.js';
import { type Cli, createCli } from './run-cli.js';

let cli: Cli;
beforeEach(async () => {
  cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off' });
});
afterEach(() => cli.remove());

/** An export with two memories, which have three highlights of an earlier day. */
function marked(): string {
  const lines = exportOf(2).trim().split('\n');
  const highlights = (at: number, quotes: readonly string[]) =>
    quotes.map((quote, index) => ({
      id: `019f0c1e-7d3a-7000-9a5${at}-00000000000${index}`,
      quote,
      prefix: '',
      suffix: '',
      note: null,
      createdAt: `2026-01-0${1 + at + 2 * index}T12:00:00Z`,
      updatedAt: '2026-01-31T12:00:00Z',
    }));
  const withHighlights = lines.map((line, index) => {
    const record = JSON.parse(line);
    if (index === 1) record.highlights = highlights(0, ['first passage', 'third passage']);
    if (index === 2) record.highlights = highlights(1, ['second passage']);
    return JSON.stringify(record);
  });
  return `${withHighlights.join('\n')}\n`;
}

test('HLT-6: recollect review shows the highlights of the day, and keeps or dismisses them by their numbers', async () => {
  expect((await cli.run(['review'])).out).toMatch(/^No passage to review today\./);
  await cli.run(['import', '-'], { input: marked() });
  const first = (await cli.run(['review'])).out;
  expect(first).toMatch(/^1\. first passage\n {2}Memory 0 \S+\n\n2\. second passage\n.*\n\n3\. third passage\n/);
  expect(first).toContain('\n3 passages left. Decide with --keep or --dismiss.\n');
  const decided = (await cli.run(['review', '--keep', '1, 3', '--dismiss', '2'])).out;
  expect(decided).toContain('1. kept first passage');
  expect(decided).toContain('2. dismissed second passage');
  expect(decided).toContain('\nDone for today.\n');
  expect((await cli.json(['review', '--undo', '2'])).highlights).toMatchObject([
    { quote: 'first passage', decision: 'keep' },
    { quote: 'second passage', decision: null, dismissed: false },
    { quote: 'third passage', decision: 'keep' },
  ]);
  await cli.run(['review', '--dismiss', 'all']);
  const { out } = await cli.run(['export']);
  expect(JSON.parse(out.split('\n')[1] ?? '').highlights).toMatchObject([
    { colour: 'yellow', dismissed: true, reviewedAt: expect.stringMatching(/Z$/) },
    { colour: 'yellow', dismissed: true },
  ]);
});

test('HLT-6: recollect review rejects numbers that the list does not have, and decides on nothing then', async () => {
  await cli.run(['import', '-'], { input: marked() });
  for (const wrong of [
    ['--keep', '1', '--dismiss', '4'],
    ['--keep', '0'],
    ['--dismiss', 'x'],
    ['--keep', '1', '--dismiss', '1'],
  ])
    expect(await cli.run(['review', ...wrong])).toMatchObject({ code: 2, out: '' });
  expect((await cli.run(['review'])).out).toContain('3 passages left.');
});
