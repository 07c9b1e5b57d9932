import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCommit, writeBuildVersion } from '../src/build-version.mjs';

const COMMIT = 'd3bbf28e'.padEnd(40, '0');
const OTHER = '4d6183fb'.padEnd(40, '1');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-version-'));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};

test('CLI-8: the commit is read without git', async () => {
  expect(findCommit(folder)).toBeUndefined();
  await write('.git/HEAD', `${COMMIT}\n`);
  expect(findCommit(folder)).toBe(COMMIT);
  await write('.git/HEAD', 'ref: refs/heads/main\n');
  expect(findCommit(folder)).toBeUndefined();
  await write('.git/packed-refs', `# pack-refs\n${OTHER} refs/heads/other\n${COMMIT} refs/heads/main\n`);
  expect(findCommit(folder)).toBe(COMMIT);
  await write('.git/refs/heads/main', `${OTHER}\n`);
  expect(findCommit(folder)).toBe(OTHER);
});

test('CLI-8: the commit of another worktree is read', async () => {
  await write('main/.git/refs/heads/side', `${COMMIT}\n`);
  await write('main/.git/worktrees/side/HEAD', 'ref: refs/heads/side\n');
  await write('main/.git/worktrees/side/commondir', '../..\n');
  await write('side/.git', 'gitdir: ../main/.git/worktrees/side\n');
  expect(findCommit(join(folder, 'side'))).toBe(COMMIT);
});

test('CLI-8: builds of one commit differ if their files do', async () => {
  await write('.git/HEAD', COMMIT);
  const build = async (text: string) => {
    await write('dist/main.js', text);
    const options = { release: '1.2.3', repository: folder, files: ['dist/*.js'], folder };
    writeBuildVersion(join(folder, 'build.json'), options);
    return JSON.parse(await readFile(join(folder, 'build.json'), 'utf8')).version;
  };
  const first = await build('one');
  expect(first).toMatch(/^1\.2\.3\+d3bbf28e\.[0-9a-f]{8}$/);
  expect(await build('two')).not.toBe(first);
  expect(await build('one')).toBe(first);
  await rm(join(folder, '.git'), { recursive: true });
  expect(await build('one')).toBe(first.replace('d3bbf28e.', ''));
});
