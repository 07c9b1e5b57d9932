import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCAL_USER } from '@recollect/core';
import { openStorage, type Storage } from '@recollect/storage';
import { createCli } from './run-cli.js';

/** The folder of a fixture plugin that the runtime's tests use too. */
export const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../packages/plugin-runtime/test/fixtures/${name}`, import.meta.url));

/** The command line without a model and rate limits, with access to its store. */
export async function createPluginCli() {
  const cli = await createCli({ RECOLLECT_EMBEDDINGS: 'off', RECOLLECT_RATE_LIMIT: 'off' });
  return {
    ...cli,

    async withStorage<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
      const url = `sqlite:${join(cli.folder, 'data', 'recollect.db')}`;
      const storage = await openStorage({ url, readers: 0 });
      try {
        return await work(storage);
      } finally {
        await storage.close();
      }
    },

    /** Counts the plugin processes of this data folder. */
    countProcesses(): number {
      const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      return stdout
        .split('\n')
        .filter((line) => line.includes(cli.folder) && line.includes('plugin-runtime/dist/bundle')).length;
    },
  };
}

export type PluginCli = Awaited<ReturnType<typeof createPluginCli>>;

/** Schedules a job that has been due for a minute. */
export function makeDue(storage: Storage, slug: string, jobId: string): Promise<void> {
  const now = Date.now();
  return storage.pluginJobs.saveSchedule(
    LOCAL_USER,
    { slug, jobId, enabled: true, intervalMinutes: 60, nextRunAt: new Date(now - 60_000).toISOString() },
    new Date(now).toISOString(),
  );
}
