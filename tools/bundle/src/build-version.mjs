// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Digits that name a commit or a content. */
const DIGITS = 8;

/**
 * Writes `build.json` with the version of a build: the release, then the commit and a checksum of the program, so that
 * builds with uncommitted changes differ too.
 *
 * @example
 * writeBuildVersion('dist/build.json', { release: '0.1.0', repository: '../..', files: ['dist/bundle/*'] });
 * // {"version":"0.1.0+d3bbf28e.4f2a91c0"}
 *
 * @param {string} path
 * @param {{ release: string, repository: string, files: readonly string[], folder?: string }} options `files` are
 * patterns of the program's files in `folder`
 */
export function writeBuildVersion(path, { release, repository, files, folder = '.' }) {
  const marks = [findCommit(repository), hashFiles(folder, files)].map((mark) => mark?.slice(0, DIGITS));
  const version = `${release}+${marks.filter((mark) => mark !== undefined).join('.')}`;
  writeFileSync(path, `${JSON.stringify({ version })}\n`);
}

/** @param {string} folder @param {readonly string[]} patterns */
function hashFiles(folder, patterns) {
  const hash = createHash('sha256');
  for (const file of globSync([...patterns], { cwd: folder }).sort()) {
    const path = join(folder, file);
    if (statSync(path).isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

/**
 * Reads the commit that is checked out, without git.
 * @param {string} repository its folder
 * @returns {string | undefined} undefined if there is no repository, or if it keeps its references in another way
 */
export function findCommit(repository) {
  const read = (/** @type {string} */ path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined);
  const dot = join(repository, '.git');
  if (!existsSync(dot)) return undefined;
  // In another worktree, `.git` is a file that names the folder.
  const own = statSync(dot).isDirectory() ? dot : resolve(repository, read(dot)?.replace(/^gitdir: /, '') ?? '');
  const shared = resolve(own, read(join(own, 'commondir')) ?? '.');
  const head = read(join(own, 'HEAD')) ?? '';
  const reference = /^ref: (.+)/.exec(head)?.[1];
  const commit =
    reference === undefined
      ? head
      : (read(join(shared, reference)) ?? findPacked(read(join(shared, 'packed-refs')) ?? '', reference));
  return /^[0-9a-f]{40,}$/.test(commit ?? '') ? commit : undefined;
}

/** @param {string} packed a commit and a reference in each line @param {string} reference */
function findPacked(packed, reference) {
  const line = packed.split('\n').find((each) => each.endsWith(` ${reference}`));
  return line?.split(' ')[0];
}
