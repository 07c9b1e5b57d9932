import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packLibrary, publicPackages } from '../src/pack-library.mjs';
import { runNpm } from '../src/run-npm.mjs';
import { type Account, createAccount } from './installation.js';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const main = join(root, 'apps/cli/dist/bundle/main.js');

/** Packages of the workspace that a library needs. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ['contract'],
  extraction: ['contract', 'core'],
  'in-memory-index': [],
};
/** The packages are ES modules, for which these ways of resolution are not made. */
const IGNORED = ['node10', 'node16-cjs'];

let account: Account;
const files = new Map<string, string>();
beforeAll(() => {
  account = createAccount(mkdtempSync(join(tmpdir(), 'recollect-libraries-')));
  for (const name of publicPackages) files.set(name, packLibrary(root, name, join(account.home, 'packed')));
});
afterAll(() => account?.remove());

const fileOf = (name: string) => files.get(name) ?? '';

/** The examples in the README of a package that need no packages but those that are installed. */
function readExamples(name: string, installed: readonly string[]): string[] {
  const readme = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example = '']) => example);
  const imported = (example: string) =>
    [...example.matchAll(/from '@recollect\/([\w-]+)/g)].map(([, each]) => each ?? '');
  return examples.filter((example) => imported(example).every((each) => installed.includes(each)));
}

describe.each(publicPackages)('the package %s', (name) => {
  test('CLI-9: its entries and types pass publint and attw', async () => {
    const bytes = readFileSync(fileOf(name));
    const tarball = new Uint8Array(bytes).buffer;
    expect((await publint({ pack: { tarball }, strict: true })).messages).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    if (analysis.types === false) throw new Error('It has no types.');
    const problems = analysis.problems.filter(
      (each) => !('resolutionKind' in each && IGNORED.includes(each.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  test('CLI-9: it can be installed outside of the workspace, and the example of its README runs', async () => {
    const project = join(account.home, name);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
    const needed = [name, ...(NEEDS[name] ?? [])];
    const packages = needed.map(fileOf);
    // With the settings of the user, since a registry may need them.
    runNpm(['install', '--no-audit', '--no-fund', ...packages], project);
    expect(readFileSync(join(project, 'node_modules/@recollect', name, 'package.json'), 'utf8')).not.toContain(
      'workspace:',
    );
    const examples = readExamples(name, needed);
    expect(examples.length).toBeGreaterThan(0);
    const server = await account.serve(process.execPath, [main, 'serve']);
    for (const [at, example] of examples.entries()) {
      const script = join(project, `example-${at}.ts`);
      writeFileSync(script, example.replace('http://127.0.0.1:4545', server.address));
      const { code, err } = await account.run(process.execPath, ['--no-warnings', script]);
      expect([code, err, example]).toEqual([0, '', example]);
    }
    await server.stop();
  });
});
