import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock, createFakeModel } from '@recollect/core/testing';
import { openPluginHost } from '@recollect/plugin-runtime/host';
import { shippedPlugins } from '@recollect/plugins';
import { openStorage } from '@recollect/storage';

/**
 * Runs the shipped plugins in real processes over an in-memory store. The fake model places texts that share words near
 * each other.
 */
export async function openPlugins(options: { withModel?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-shipped-'));
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const pluginHost = openPluginHost({
    folder,
    shipped: async () => shippedPlugins,
    limits: { hookMs: 200_000, jobMs: 200_000, memoryMb: 256 },
  });
  const clock = createFakeClock(new Date(Date.now() - 3_600_000).toISOString());
  const embeddingModel = options.withModel === false ? null : createFakeModel();
  const core = createCore({ ...storage, embeddingModel, pluginHost, clock });
  return {
    core,
    clock,
    install: (slug: string, configuration = {}) =>
      core.plugins
        .install(LOCAL_USER, { slug }, { allow: ['network'] })
        .then(() => core.plugins.configure(LOCAL_USER, slug, configuration)),
    run: (slug: string, jobId: string) => core.jobs.run(LOCAL_USER, slug, jobId),
    async capture(text: string, more: object = {}): Promise<string> {
      const { answer } = await core.capture(LOCAL_USER, [{ title: text, pageText: text, ...more }]);
      clock.advance(1_000);
      return answer.captures[0]?.id ?? '';
    },
    get: (id: string) => core.memories.get(LOCAL_USER, id),
    list: async () => (await core.memories.list(LOCAL_USER, { limit: 100 })).memories,
    async close() {
      await pluginHost.close();
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Plugins = Awaited<ReturnType<typeof openPlugins>>;
