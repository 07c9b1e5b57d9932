import { readFileSync } from 'node:fs';
import { problems } from '@recollect/contract';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { unknownSettings } from '../src/config.js';
import { wordsOf } from '../src/manual/format-help.js';
import { pages } from '../src/manual/pages.js';
import { createProgram } from '../src/program.js';
import { settings } from '../src/settings.js';
import { formatCommands } from './format-commands.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('docs/configuration.md lists every setting that is read, and no other', () => {
  const source = ['config', 'read-policy'].map((file) => read(`apps/cli/src/${file}.ts`)).join('\n');
  const names = [...source.matchAll(/read\('([A-Z_]+)'\)|'([A-Z]+_[A-Z_]+)'/g)].map(
    ([, one, other]) => `RECOLLECT_${one ?? other}`,
  );
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(RECOLLECT_[A-Z_]+)`/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(10);
  expect([...new Set(names)].sort()).toEqual([...new Set(rows)].sort());
  const environment = Object.fromEntries([...rows, 'RECOLLECT_AUHT', 'PATH'].map((name) => [name, '']));
  expect(
    unknownSettings({
      ...environment,
      RECOLLECT_SERVICE_HOST: '10.0.0.1',
      RECOLLECT_PORT_4545_TCP: 'tcp://10.0.0.1:4545',
    }),
  ).toEqual([
    'There is no setting RECOLLECT_AUHT. Did you mean RECOLLECT_AUTH? docs/configuration.md lists all settings.',
  ]);
});

test('docs/configuration.md and recollect help settings say the same', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(RECOLLECT_[A-Z_]+)` \| (.*?) ?\| (.*) \|$/gm)];
  const plain = (text = '') => text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  expect(settings).toEqual(
    rows.map(([, name, byDefault, meaning]) => ({ name, byDefault: plain(byDefault), meaning: plain(meaning) })),
  );
});

describe('the manual', async () => {
  const program = await createProgram([]);
  const commands = (command: Command): Command[] => [command, ...command.commands.flatMap(commands)];
  const all = new Map(commands(program).map((command) => [wordsOf(command), command]));

  test('CLI-6: has a page with two examples for every command, and no other page', () => {
    expect(Object.keys(pages).sort()).toEqual([...all.keys()].sort());
    for (const [name, { examples }] of Object.entries(pages))
      expect([name, Object.keys(examples).length]).toEqual([name, expect.toSatisfy((number: number) => number >= 2)]);
  });

  test('CLI-6: its examples use commands and options that exist', () => {
    const lines = Object.values(pages).flatMap(({ examples }) => Object.keys(examples));
    expect(lines.length).toBeGreaterThan(100);
    for (const line of lines) {
      const words = (/recollect ([^|>)]*)/.exec(line)?.[1] ?? '').split(' ').filter((word) => word !== '');
      let command = program;
      for (const word of words) command = all.get(`${wordsOf(command)} ${word}`.trim()) ?? command;
      const known = command.options.map(({ long }) => long);
      expect([line, command === program && words.length > 0]).toEqual([line, false]);
      // The end of the options is not an option.
      for (const word of words.filter((one) => one.startsWith('--') && one !== '--'))
        expect([line, known]).toEqual([line, expect.arrayContaining([word])]);
    }
  });
});

test('docs/commands.md describes every command as the program does', async () => {
  await expect(formatCommands(await createProgram([]))).toMatchFileSnapshot('../../../docs/commands.md');
});

test('SYS-3: each problem code has a unique title', () => {
  const titles = Object.values(problems).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
