import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RecollectError } from '@recollect/core';
import { type Ran, run } from '../service-manager/run-program.js';

/** The npm that came with this Node, if it did: on Windows, the one in the PATH is a script for the shell. */
function findNpm(): readonly [string, ...string[]] {
  const folder = dirname(process.execPath);
  const places = [join(folder, '..', 'lib', 'node_modules'), join(folder, 'node_modules')];
  const program = places.map((place) => join(place, 'npm', 'bin', 'npm-cli.js')).find((path) => existsSync(path));
  return program === undefined ? ['npm'] : [process.execPath, program];
}

/** Runs npm. Throws {@link RecollectError} with the first line of what it says if it fails. */
export async function npm(...words: readonly string[]): Promise<string> {
  const [program, ...first] = findNpm();
  const ran = await run(program, [...first, ...words, '--no-audit', '--no-fund', '--loglevel=error']);
  if (ran.code === 0) return ran.output.trim();
  throw new RecollectError('UNAVAILABLE', `npm could not do it: ${explain(ran)} Nothing has changed.`);
}

function explain({ code, errors, output }: Ran): string {
  if (/ENOSPC/.test(errors)) return 'the disk is full.';
  if (/E404/.test(errors)) return 'the registry has no such package.';
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ENETUNREACH/.test(errors)) return 'the registry cannot be reached.';
  if (/EINTEGRITY|TAR_BAD_ARCHIVE|Z_BUF_ERROR|Z_DATA_ERROR|zlib/.test(errors))
    return 'the file is damaged. Download it again.';
  if (/EBADPLATFORM/.test(errors)) return 'the file is for another system.';
  if (/ENOENT/.test(errors)) return 'there is no such file.';
  const [line] = (errors.trim() || output.trim()).split('\n');
  return code === null ? 'it is missing.' : `${line?.replace(/^npm (?:error|ERR!)\s*/, '') ?? ''}.`;
}
