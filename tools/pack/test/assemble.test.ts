import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assemble, readSection } from '../src/assemble.mjs';
import { targets } from '../src/libraries.mjs';
import { listContents, models } from '../src/licences.mjs';
import { createSbom } from '../src/sbom.mjs';

const CHANGELOG = `# Changelog

## Unreleased

- Cocoa.

## 0.10.0 - 2026-12-02

### Added

- Tea.

## 0.1.0 - 2026-12-01

- Water.
`;

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-assemble-'));
  folder = join(root, 'dist');
  mkdirSync(join(root, 'apps/cli'), { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(root, 'apps/cli/package.json'), '{ "name": "@recollect/cli", "version": "0.10.0" }');
  writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG);
  for (const system of targets)
    for (const ending of ['tgz', 'cdx.json'])
      writeFileSync(join(folder, `recollect-0.10.0-${system}.${ending}`), system);
});
afterEach(() => rmSync(root, { recursive: true }));

test('the files of a release get checksums and notes', async () => {
  const files = await assemble(root, { folder, tag: 'v0.10.0' });
  expect(files).toHaveLength(9);
  expect(files).toContain('recollect-0.10.0-linux-arm64.tgz');
  const notes = readFileSync(join(folder, 'NOTES.md'), 'utf8');
  expect(notes).toMatch(/^### Added\n\n- Tea\.\n\n### Install\n/);
  expect(notes).toContain('npm install -g ./recollect-0.10.0-linux-x64.tgz');
  expect(notes).not.toMatch(/Cocoa|Water/);
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  expect(sums.match(/^[0-9a-f]{64} {2}recollect-0\.10\.0-\S+$/gm)).toHaveLength(8);
  if (process.platform === 'linux') execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
});

test('a release that is not complete is refused', async () => {
  await expect(assemble(root, { folder, tag: 'v0.1.0' })).rejects.toThrow('The tag v0.1.0 is not v0.10.0');
  rmSync(join(folder, 'recollect-0.10.0-win32-x64.tgz'));
  await expect(assemble(root, { folder })).rejects.toThrow('lacks recollect-0.10.0-win32-x64.tgz.');
  expect(() => readSection(CHANGELOG, '0.1')).toThrow('no section for 0.1');
  expect(readSection(CHANGELOG, '0.1.0')).toBe('- Water.');
});

test('the list of a package names each library once, with its version and licence', () => {
  const repository = fileURLToPath(new URL('../../..', import.meta.url));
  const libraries = listContents(repository);
  const write = () => createSbom({ name: 'recollect', version: '0.10.0', license: 'MIT' }, libraries, models);
  const bom = JSON.parse(write());
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { version: '0.10.0' } },
  });
  const found = bom.components.map(({ name, group, version }: Record<string, string>) =>
    version === undefined ? name : `${group === undefined ? '' : `${group}/`}${name}@${version}`,
  );
  expect(found.sort()).toEqual(
    [...models, ...libraries.map(({ name, manifest }) => `${name}@${manifest.version}`)].sort(),
  );
  expect(bom.components.find(({ name }: { name: string }) => name === 'fastify')).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/fastify@\d/),
    licenses: [{ license: { id: 'MIT' } }],
  });
  expect(write()).toBe(write());
});
