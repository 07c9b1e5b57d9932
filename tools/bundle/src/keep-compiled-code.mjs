// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the everyday commands of a bundled program once, and keeps what V8 compiles of them in the folder `cache`.
 * @param {string} folder the folder of `warm-up.js` and of the bundle
 * @returns {Promise<string | null>} the reason of a failure, or null
 */
export async function keepCompiledCode(folder) {
  const cache = join(folder, 'cache');
  // The compile cache of an earlier bundle.
  await rm(cache, { recursive: true, force: true });
  const data = await mkdtemp(join(tmpdir(), 'recollect-build-'));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('RECOLLECT_'));
  const settings = {
    RECOLLECT_DATA_DIR: data,
    RECOLLECT_PORT: '0',
    RECOLLECT_EMBEDDINGS: 'off',
    RECOLLECT_BACKUPS: 'off',
  };
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'warm-up.js'), data, cache], {
    env: { ...Object.fromEntries(own), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  await rm(data, { recursive: true, force: true });
  return status === 0 ? null : stderr;
}
