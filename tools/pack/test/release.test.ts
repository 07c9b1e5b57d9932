import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeSection, release } from '../src/release.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const MANIFESTS = '{packages,apps,tools}/*/package.json';

/** The manifests and the settings of this repository. */
let copy: string;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'recollect-release-'));
  const files = ['package.json', 'pnpm-workspace.yaml', 'CHANGELOG.md', '.changeset/config.json'];
  for (const file of [...files, ...globSync(MANIFESTS, { cwd: root })]) cpSync(join(root, file), join(copy, file));
});
afterEach(() => rmSync(copy, { recursive: true }));

const versionsIn = (folder: string) => {
  const manifests = ['package.json', ...globSync(MANIFESTS, { cwd: folder })];
  return new Set(manifests.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).version));
};

test('a release gives all packages one version, and dates the section of the changelog', () => {
  const [before, ...others] = versionsIn(copy);
  expect(others).toEqual([]);
  const [major, minor = 0] = String(before).split('.').map(Number);
  writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n### Added\n\n- Tea.\n');
  writeFileSync(join(copy, '.changeset/tea.md'), '---\n"@recollect/cli": minor\n---\n\nTea.\n');
  const version = `${major}.${minor + 1}.0`;
  expect(release(copy, '2026-12-01')).toBe(version);
  expect([...versionsIn(copy)]).toEqual([version]);
  expect(readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')).toBe(
    `# Changelog\n\n## Unreleased\n\n## ${version} - 2026-12-01\n\n### Added\n\n- Tea.\n`,
  );
  // The changesets are used up, and nothing was written since.
  expect(() => release(copy, '2026-12-02')).toThrow('The section "Unreleased" of CHANGELOG.md is empty.');
  writeFileSync(join(copy, 'CHANGELOG.md'), '## Unreleased\n\n- Coffee.\n');
  expect(() => release(copy, '2026-12-02')).toThrow('There are no changesets.');
});

test('the sections of earlier versions stay as they were', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Tea.\n\n## 0.1.0 - 2026-11-01\n\n- Water.\n';
  expect(closeSection(changelog, '0.2.0', '2026-12-01')).toBe(
    changelog.replace('Unreleased', 'Unreleased\n\n## 0.2.0 - 2026-12-01'),
  );
  expect(() => closeSection('# Changelog\n', '0.2.0', '2026-12-01')).toThrow('no section "Unreleased"');
});
