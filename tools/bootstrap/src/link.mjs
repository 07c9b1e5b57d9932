// @ts-check
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { BootstrapError, report } from './report.mjs';

const isWindows = process.platform === 'win32';
/** A line of every launcher: other files of the same name are not replaced. */
const MARK = 'Made by npm run link';

/**
 * Puts the command `recollect` on the PATH: a launcher that starts the built program with the given Node.
 * @param {string} root
 * @param {string} node
 */
export function link(root, node) {
  const path = launcherPath();
  if (existsSync(path) && !isOurs(path))
    throw new BootstrapError(`There is another program at ${path}. Move it away, or use npm run recollect.`);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, launcher(root, node), { mode: 0o755 });
  } catch (error) {
    throw new BootstrapError(`${path} cannot be written: ${/** @type {Error} */ (error).message}.`);
  }
  const hint = isOnPath(dirname(path)) ? '' : ` Add ${dirname(path)} to your PATH to use it.`;
  report(`the command is at ${path}.${hint} To remove it: npm run unlink`);
}

/** Removes the launcher that {@link link} has made. */
export function unlink() {
  const path = launcherPath();
  if (!existsSync(path)) return report('the command recollect is not linked');
  if (!isOurs(path)) throw new BootstrapError(`${path} is another program, and stays.`);
  rmSync(path);
  report(`removed ${path}`);
}

/**
 * Asks once, on a terminal, whether to link the command.
 * @param {string} root
 * @param {string} node
 */
export async function offerLink(root, node) {
  const asked = join(root, 'node_modules', '.cache', 'recollect-link-offered');
  const path = launcherPath();
  if (!process.stdin.isTTY || !process.stderr.isTTY || existsSync(path) || existsSync(asked)) return;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const question = `Put the command recollect on your PATH, as ${path}? [Y/n] `;
  const answer = await prompt.question(question).catch((error) => {
    if (error.code === 'ABORT_ERR') throw new BootstrapError('stopped');
    throw error;
  });
  prompt.close();
  try {
    mkdirSync(dirname(asked), { recursive: true });
    writeFileSync(asked, '');
  } catch {
    // It asks again at the next start.
  }
  if (/^\s*(?:y|yes)?\s*$/i.test(answer)) link(root, node);
  else report('not linked; npm run link does it later');
}

/** A folder for programs of the user: the first that is on the PATH and can be written to. */
function launcherPath() {
  if (isWindows) {
    const local = process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
    return join(local, 'Microsoft', 'WindowsApps', 'recollect.cmd');
  }
  const home = homedir();
  const folders = [join(home, '.local', 'bin'), join(home, 'bin')];
  const folder = folders.find((each) => isOnPath(each) && isWritable(each)) ?? folders[0] ?? home;
  return join(folder, 'recollect');
}

/** @param {string} root @param {string} node */
function launcher(root, node) {
  const program = join(root, 'apps', 'cli', 'dist', 'bundle', 'main.js');
  if (isWindows)
    return `@rem ${MARK} in ${root}. Remove it with npm run unlink there.\r\n@"${node}" "${program}" %*\r\n`;
  // Without the Node of the day it was linked, or before a build, npm run finds what is needed.
  return `#!/bin/sh
# ${MARK} in ${root}. Remove it with npm run unlink there.
if [ -x ${quote(node)} ] && [ -f ${quote(program)} ]; then exec ${quote(node)} ${quote(program)} "$@"; fi
exec npm --prefix ${quote(root)} run --silent recollect -- "$@"
`;
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string} path */
function isOurs(path) {
  try {
    return readFileSync(path, 'utf8').includes(MARK);
  } catch {
    return false;
  }
}

/** @param {string} folder */
function isOnPath(folder) {
  return (process.env.PATH ?? '').split(delimiter).some((each) => each !== '' && resolve(each) === folder);
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
