import { readFileSync } from 'node:fs';
import { problems } from '@recollect/contract';
import { expect, test } from 'vitest';
import { unknownSettings } from '../src/config.js';
import { createProgram } from '../src/program.js';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('docs/configuration.md lists every setting that is read, and no other', () => {
  const source = read('apps/cli/src/config.ts');
  const names = [...source.matchAll(/read\('([A-Z_]+)'\)|'([A-Z]+_[A-Z_]+)'/g)].map(
    ([, one, other]) => `RECOLLECT_${one ?? other}`,
  );
  const rows = [...read('docs/configuration.md').matchAll(/^\| `(RECOLLECT_[A-Z_]+)`/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(10);
  expect([...new Set(names)].sort()).toEqual([...new Set(rows)].sort());
  const environment = Object.fromEntries([...rows, 'RECOLLECT_AUHT', 'PATH'].map((name) => [name, '']));
  expect(unknownSettings(environment)).toEqual(['RECOLLECT_AUHT']);
});

test('README.md lists every command', () => {
  const listed = read('README.md');
  for (const command of createProgram().commands.map((one) => one.name())) {
    if (command !== 'complete') expect(listed).toContain(`recollect ${command}`);
  }
});

test('SYS-3: each problem code has a unique title', () => {
  const titles = Object.values(problems).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});
