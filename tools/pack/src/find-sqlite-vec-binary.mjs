// @ts-check
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findInstalled, readManifest } from './libraries.mjs';
import { runNpm } from './run-npm.mjs';

/** What sqlite-vec calls a system. @type {Readonly<Record<string, string>>} */
const SYSTEMS = { win32: 'windows' };

/**
 * Finds the package with the binary of sqlite-vec for a system, which is installed for this machine's system only.
 * npm fetches it for another one.
 * @param {import('./libraries.mjs').Library} sqliteVec
 * @param {import('./libraries.mjs').Target} target
 * @returns {import('./libraries.mjs').Library}
 */
export function findSqliteVecBinary({ folder, manifest }, { os, cpu }) {
  const name = `sqlite-vec-${SYSTEMS[os] ?? os}-${cpu}`;
  const version = manifest.optionalDependencies?.[name];
  if (version === undefined) throw new Error(`sqlite-vec has no binary for ${os}-${cpu}.`);
  let found = findInstalled(name, folder);
  if (found === undefined) {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'recollect-pack-')));
    process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
    runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--force', `${name}@${version}`], scratch);
    found = join(scratch, 'node_modules', name);
  }
  return { name, folder: found, manifest: readManifest(found) };
}
