import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Installation, PluginOutcome, PluginPackage } from '@recollect/core';
import { openPluginHost, type PluginHostOptions } from '@recollect/plugin-runtime/host';

/** Time limits that a process of low priority keeps beside the other tests, whose work comes first. */
export const UNREACHED = { hookMs: 200_000, jobMs: 200_000 };

export const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}/`, import.meta.url));

export function installed(added: PluginPackage, more: Partial<Installation> = {}): Installation {
  return { ...added, isEnabled: true, allowed: [], configuration: {}, failedStarts: 0, suspended: null, ...more };
}

/** A host with its own folder. Tests of the time limits set lower ones. */
export async function openTestHost(options: Partial<PluginHostOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-plugins-'));
  const host = openPluginHost({
    folder: join(folder, 'plugins'),
    shipped: async () => [],
    limits: { ...UNREACHED, memoryMb: 128 },
    ...options,
  });
  return {
    host,
    folder,
    /** A copy of a fixture that a test may change. */
    async copyOf(name: string): Promise<string> {
      const copy = join(folder, `${name}-copy`);
      await cp(fixture(name), copy, { recursive: true });
      return copy;
    },
    run: (plugin: Installation, jobId: string, signal = new AbortController().signal): Promise<PluginOutcome> =>
      host.call(plugin, { kind: 'job', jobId }, { userId: 'ann', signal, answer: async () => null }),
    async close() {
      await host.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A plugin that does everything wrong, in a separate host and in a host with short limits that a test can change. */
export async function openFaultyPlugin() {
  const open = await openTestHost();
  const limits = { hookMs: 1_000, jobMs: 3_000, memoryMb: 128 };
  const strictHost = await openTestHost({ limits });
  const faulty = installed(await open.host.add(fixture('faulty'), { sha256: null, allow: [] }));
  await strictHost.host.add(fixture('faulty'), { sha256: null, allow: [] });
  return { open, strictHost, limits, faulty, close: () => Promise.all([open.close(), strictHost.close()]) };
}

export type TestHost = Awaited<ReturnType<typeof openTestHost>>;
