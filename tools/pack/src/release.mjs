// @ts-check
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readManifest } from './libraries.mjs';

/**
 * Turns the section "Unreleased" of a changelog into the section of a version, and opens an empty one above it. Throws
 * if nothing is in it: a release without a word to its users is a mistake.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date such as `2026-11-29`
 */
export function closeSection(changelog, version, date) {
  const [before, content] = changelog.split(/^## Unreleased$/m);
  if (before === undefined || content === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".');
  const [own = ''] = content.split(/^## /m);
  if (!/^- /m.test(own)) throw new Error('The section "Unreleased" of CHANGELOG.md is empty. Say what has changed.');
  return `${before}## Unreleased\n\n## ${version} - ${date}${content}`;
}

/**
 * Gives all packages of the workspace the version that the changesets ask for, and closes the section of the changelog.
 * Changes files only: the commit is the release manager's.
 * @param {string} root the folder of the repository
 * @param {string} date
 * @returns {string} the version
 */
export function release(root, date) {
  const versionOf = () => readManifest(join(root, 'apps/cli')).version;
  const before = versionOf();
  const path = join(root, 'CHANGELOG.md');
  // Before anything changes: a changelog that is not ready stops the release.
  const changelog = readFileSync(path, 'utf8');
  closeSection(changelog, before, date);
  if (globSync('.changeset/*.md', { cwd: root }).length === 0)
    throw new Error('There are no changesets. Add one with npx changeset.');
  const changesets = join(dirname(createRequire(import.meta.url).resolve('@changesets/cli/package.json')), 'bin.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [changesets, 'version'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The versions were not changed. ${stdout}${stderr}`);
  const version = versionOf();
  writeFileSync(path, closeSection(changelog, version, date));
  // The repository is not one of the packages.
  const manifest = join(root, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("version": )"[^"]*"/, `$1"${version}"`));
  return version;
}
