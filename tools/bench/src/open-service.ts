import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@recollect/contract/client';
import { type Core, createCore } from '@recollect/core';
import { openLocalModel } from '@recollect/embeddings';
import { minilm } from '@recollect/model-minilm';
import { startServer } from '@recollect/server';
import { defaultPolicy } from '@recollect/server/access-policy';
import { openStorage, type Storage } from '@recollect/storage';

export interface Service {
  address: string;
  client: Client;
  core: Core;
  storage: Storage;
  close(): Promise<void>;
}

/** The service as it ships, on a store of its own in a temporary folder: over HTTP, with the real model unless without. */
export async function openService({ withModel }: { withModel: boolean }): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const storage = await openStorage({ url: `sqlite:${join(folder, 'recollect.db')}` });
  const model = withModel ? openLocalModel(minilm) : null;
  await model?.warmUp();
  const core = createCore({ ...storage, embeddingModel: model });
  const policy = { ...defaultPolicy, limitsRequests: false };
  const server = await startServer({ core, policy, port: 0, version: 'bench', check: storage.check, runners: false });
  return {
    address: server.address,
    client: createClient({ baseUrl: server.address }),
    core,
    storage,
    async close() {
      await server.close();
      await model?.close();
      await storage.close();
      await rm(folder, { recursive: true });
    },
  };
}
