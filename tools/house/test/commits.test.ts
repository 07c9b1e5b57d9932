import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkSubject } from '../src/check-subject.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The subjects of the commits that this branch adds to the main branch. Merges are left out. */
function addedSubjects(): string[] {
  for (const base of ['origin/main', 'main']) {
    try {
      return git('log', '--no-merges', '--format=%s', `${base}..HEAD`).split('\n').filter(Boolean);
    } catch {
      // A shallow clone, or an archive without history, has no such branch.
    }
  }
  return [];
}

test('the commits that a branch adds have conventional subjects in the imperative', () => {
  expect(
    addedSubjects().flatMap((subject) => checkSubject(subject).map((problem) => `${problem}: ${subject}`)),
  ).toEqual([]);
});

test('a subject is rejected for its length, its form or its mood', () => {
  expect(checkSubject("fix(extraction): don't treat cents as superscript")).toEqual([]);
  expect(checkSubject('docs: wrap comments at 120 columns')).toEqual([]);
  expect(checkSubject('feat!: address a memory by its number')).toEqual([]);
  expect(checkSubject(`fix: ${'a'.repeat(72)}`)).toEqual(['more than 72 characters']);
  expect(checkSubject('Fix the build')).toEqual(['not a conventional subject']);
  expect(checkSubject('fix(web): the list keeps its place')).toEqual(['not in the imperative']);
  expect(checkSubject('fix(web): fixed the place of the list')).toEqual(['not in the imperative']);
  expect(checkSubject('refactor: moving the stores')).toEqual(['not in the imperative']);
  expect(checkSubject('fix(extension): whoever sees the result can press Save')).toEqual(['not in the imperative']);
});
