import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@recollect/contract/client';
import { type BackupRestorer, type Clock, type Core, createCore, type Reranker, systemClock } from '@recollect/core';
import { createFakeModel, type FakeModel } from '@recollect/core/testing';
import { openArticleExtractor } from '@recollect/extraction';
import { createExportReader } from '@recollect/importers/export-reader';
import { openPluginHost } from '@recollect/plugin-runtime/host';
import { startServer } from '@recollect/server';
import { type AccessPolicy, defaultPolicy } from '@recollect/server/access-policy';
import { openStorage, type Storage } from '@recollect/storage';
import { openBackups } from '@recollect/storage/backups';
import counter from './fixtures/counter/index.js';

export interface TestServer {
  address: string;
  port: number;
  client: Client;
  core: Core;
  model: FakeModel;
  storage: Storage;
  /** Sends and reads JSON; a string body is sent unchanged. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Stops listening but keeps the store, for {@link listenAgain} at the same address. */
  stopListening(): Promise<void>;
  listenAgain(): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

/** An HTTP server with a fake model, a real extractor and the shipped plugin `counter`. */
export async function startTestServer(
  options: {
    /** The store: in memory by default. */
    url?: string;
    /** Any free port by default. */
    port?: number;
    policy?: Partial<AccessPolicy>;
    withModel?: boolean;
    /** None by default. */
    reranker?: Reranker;
    runners?: boolean;
    mcp?: boolean;
    metrics?: boolean;
    /** The secret of commands; none by default. */
    ownerSecret?: string;
    /** Whether a plugin opened a connection; none by default. */
    isPlugin?: (connection: { localPort: number; remotePort: number }) => Promise<boolean>;
    /** Time limit of hooks and jobs in milliseconds. */
    pluginMs?: number;
    clock?: Clock;
    /** The folder of the backups, for a store in a file. None are made automatically. */
    backupFolder?: string;
    backupRestorer?: BackupRestorer;
    /** Replaces parts of core, for example with failing ones. */
    change?: (core: Core) => Core;
  } = {},
): Promise<TestServer> {
  // A store in a file has threads, which take longer to start than most tests take.
  const storage = await openStorage(
    options.url === undefined ? { url: 'sqlite::memory:', readers: 0 } : { url: options.url },
  );
  const model = createFakeModel();
  const articleExtractor = openArticleExtractor({ timeLimit: 120_000 });
  const folder = await mkdtemp(join(tmpdir(), 'recollect-server-'));
  const pluginHost = openPluginHost({
    folder: join(folder, 'plugins'),
    shipped: async () => [{ definition: counter, folder: new URL('./fixtures/counter/', import.meta.url) }],
    limits: { hookMs: options.pluginMs ?? 200_000, jobMs: options.pluginMs ?? 200_000, memoryMb: 128 },
  });
  const { backupFolder } = options;
  const backupStore =
    backupFolder === undefined || storage.copy === null
      ? null
      : openBackups({
          folder: backupFolder,
          dataFolder: folder,
          copy: storage.copy,
          readPassphrase: null,
          isAutomatic: false,
          clock: options.clock ?? systemClock,
        });
  const embeddingModel = options.withModel === false ? null : model;
  const { change = (made) => made } = options;
  const core = change(
    createCore({
      ...storage,
      articleExtractor,
      exportReader: createExportReader(),
      embeddingModel,
      reranker: options.reranker ?? null,
      // A slow machine is not what these tests are about.
      queryLimits: { carefulMs: 600_000, busyMs: 600_000 },
      pluginHost,
      backupStore,
      backupRestorer: options.backupRestorer ?? null,
      ...(options.clock && { clock: options.clock }),
    }),
  );
  const listen = (port: number) =>
    startServer({
      core,
      policy: { ...defaultPolicy, limitsRequests: false, ...options.policy },
      port,
      version: '0.1.0-test',
      check: storage.check,
      runners: options.runners ?? false,
      openclawHosts: ['localhost', '127.0.0.1', '[::1]'],
      mcp: options.mcp ?? true,
      metrics: options.metrics ?? true,
      ownerSecret: options.ownerSecret,
      isPlugin: options.isPlugin,
    });
  let server = await listen(options.port ?? 0);
  const { address } = server;
  return {
    address,
    port: Number(new URL(address).port),
    client: createClient({ baseUrl: address }),
    core,
    model,
    storage,
    async send(method, path, body, headers = {}) {
      const response = await fetch(address + path, {
        redirect: 'manual',
        method,
        headers: { ...(method === 'GET' ? {} : { 'content-type': 'application/json' }), ...headers },
        body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson =
        /^application\/(?:problem\+|schema\+)?json/.test(response.headers.get('content-type') ?? '') && text !== '';
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    stopListening: () => server.close(),
    async listenAgain() {
      server = await listen(Number(new URL(address).port));
    },
    async close() {
      await server.close();
      await pluginHost.close();
      await rm(folder, { recursive: true, force: true });
      await articleExtractor.close();
      await storage.close();
    },
  };
}
