import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@recollect/contract/client';
import { type Core, createCore, type EmbeddingModel } from '@recollect/core';
import { openLocalModel } from '@recollect/embeddings';
import { minilm } from '@recollect/models/minilm';
import { openPluginHost } from '@recollect/plugin-runtime/host';
import { shippedPlugins } from '@recollect/plugins';
import { startServer } from '@recollect/server';
import { defaultPolicy } from '@recollect/server/access-policy';
import { openStorage, type Storage } from '@recollect/storage';

/** As `recollect serve` reserves by default. */
const MEMORY_MB = 512;

export interface Service {
  address: string;
  /** The folder of its store. */
  folder: string;
  client: Client;
  core: Core;
  storage: Storage;
  close(): Promise<void>;
}

export interface ServiceOptions {
  withModel: boolean;
  /** A model instead of the real one. */
  model?: EmbeddingModel;
  /** Whether to run jobs and notify plugins in the background; false by default. */
  runners?: boolean;
  /** Time limit of a plugin's hook, in milliseconds. */
  hookMs?: number;
  /** The folder of an existing store, which is kept. A new temporary one by default. */
  folder?: string;
}

/** Starts the service as it ships, over HTTP, with its own temporary store and optionally the real model. */
export async function openService({
  withModel,
  model: givenModel,
  runners = false,
  hookMs = 30_000,
  folder: given,
}: ServiceOptions): Promise<Service> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'recollect-bench-')));
  const storage = await openStorage({
    url: `sqlite:${join(folder, 'recollect.db')}`,
    vectorMemoryMb: MEMORY_MB,
    textMemoryMb: MEMORY_MB,
    onNotice: (notice) => console.error(notice),
  });
  const localModel = withModel && givenModel === undefined ? openLocalModel(minilm) : null;
  await localModel?.warmUp();
  const model = givenModel ?? localModel;
  void storage.textIndex.warmUp?.();
  if (model !== null) void storage.vectorIndex.warmUp?.(model.id);
  const pluginHost = openPluginHost({
    folder: join(folder, 'plugins'),
    shipped: async () => shippedPlugins,
    limits: { hookMs, jobMs: 600_000, memoryMb: 256 },
  });
  const core = createCore({ ...storage, embeddingModel: model, pluginHost });
  const policy = { ...defaultPolicy, limitsRequests: false };
  const version = '0.1.0';
  const server = await startServer({
    core,
    policy,
    port: 0,
    version,
    check: storage.check,
    runners,
    openclawHosts: [],
    mcp: true,
    metrics: false,
  });
  return {
    address: server.address,
    folder,
    client: createClient({ baseUrl: server.address }),
    core,
    storage,
    async close() {
      await server.close();
      await pluginHost.close();
      await model?.close();
      await storage.close();
      if (given === undefined) await rm(folder, { recursive: true });
    },
  };
}
