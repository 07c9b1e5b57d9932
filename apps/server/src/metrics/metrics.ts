import type { Core } from '@recollect/core';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../bind-operation.js';

/** The gauges that are read from the store. They have no value while it cannot be read. */
interface StateGauges {
  update(userId: string): Promise<void>;
}

const HELP = {
  recollect_store_readable: 'Whether the store can be read.',
  recollect_store_writable: 'Whether the store accepts changes.',
  recollect_store_bytes: 'Size of the store.',
  recollect_store_disk_free_bytes: 'Free space on the disk of the store.',
  recollect_memories: 'Memories outside the trash.',
  recollect_trash_memories: 'Memories in the trash.',
  recollect_chunks: 'Chunks of all memories.',
  recollect_highlights: 'Highlights.',
  recollect_memories_without_embeddings: 'Memories that wait for embeddings of the current model.',
  recollect_backup_last_timestamp_seconds:
    'When the newest backup was made, as a Unix time. No value without a backup.',
  recollect_backup_failed_attempts: 'Failed attempts to make an automatic backup since the last one that was made.',
  recollect_plugins_active: 'Active plugins.',
  recollect_plugins_failing: 'Plugins whose last work failed.',
  recollect_plugin_events_waiting: 'Events that wait for a plugin.',
  recollect_plugin_events_parked: 'Events that a plugin failed to process too often.',
};

type Name = keyof typeof HELP;

/** Makes the gauges of the store, the index and the queues. */
function createStateGauges(registry: Registry, core: Core): StateGauges {
  const gauges = new Map(
    Object.entries(HELP).map(([name, help]) => [name, new Gauge({ name, help, registers: [registry] })]),
  );
  return {
    async update(userId) {
      const values = await readState(core, userId).catch(() => ({ recollect_store_readable: 0 }));
      for (const [name, gauge] of gauges) {
        const value = (values as Partial<Record<Name, number>>)[name as Name];
        if (value === undefined) gauge.remove();
        else gauge.set(value);
      }
    },
  };
}

async function readState({ status, plugins }: Core, userId: string): Promise<Partial<Record<Name, number>>> {
  const [state, installed] = await Promise.all([status(userId), plugins.listInstalled(userId)]);
  const { store, memories, trash, chunks, highlights, embeddings, backups } = state;
  const sum = (of: 'waiting' | 'parked') => installed.reduce((total, { events }) => total + events[of], 0);
  return {
    recollect_store_readable: 1,
    recollect_store_writable: store.problem === null ? 1 : 0,
    recollect_store_bytes: store.bytes,
    ...(store.freeBytes === null ? {} : { recollect_store_disk_free_bytes: store.freeBytes }),
    recollect_memories: memories,
    recollect_trash_memories: trash,
    recollect_chunks: chunks,
    recollect_highlights: highlights,
    recollect_memories_without_embeddings: embeddings.withoutEmbeddings,
    ...(backups?.last ? { recollect_backup_last_timestamp_seconds: Date.parse(backups.last.at) / 1_000 } : {}),
    ...(backups === null ? {} : { recollect_backup_failed_attempts: backups.failure?.attempts ?? 0 }),
    recollect_plugins_active: state.plugins.active,
    recollect_plugins_failing: state.plugins.failures.length,
    recollect_plugin_events_waiting: sum('waiting'),
    recollect_plugin_events_parked: sum('parked'),
  };
}

/** Counts what the server does, for Prometheus. No label holds anything that a user or client wrote. */
export interface Metrics {
  /** Core, whose captures and queries are counted. */
  core: Core;
  /** Counts and times the requests of a server. Call it before its routes are registered. */
  addTo(app: App): void;
  /** All metrics in the text format of Prometheus. What the store knows is read at this moment. */
  read(userId: string): Promise<string>;
}

/** Starts to count. Every server has its own registry. */
export function createMetrics(core: Core): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = createStateGauges(registry, core);
  return {
    core: observeCore(registry, core),
    addTo: (app) => observeRequests(registry, app),
    async read(userId) {
      await gauges.update(userId);
      return registry.metrics();
    },
  };
}

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts and times the requests of a server by operation. Unknown paths share the operation `none`. */
function observeRequests(registry: Registry, app: App): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'recollect_http_requests_total',
    help: 'Answered requests, by operation and HTTP status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'recollect_http_request_duration_seconds',
    help: 'Time until a request was answered, by operation.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operation: operationConfig, operationId: operation = 'none' } = request.routeOptions.config;
    requests.inc({ operation, status: reply.statusCode });
    // A stream lasts as long as its client listens.
    if (operationConfig?.produces !== 'text/event-stream') durations.observe({ operation }, reply.elapsedTime / 1_000);
  });
}

/** Counts captures and queries over HTTP and by assistants. What a plugin saves or searches is not counted. */
function observeCore(registry: Registry, core: Core): Core {
  const registers = [registry];
  const captures = new Counter({
    name: 'recollect_captures_total',
    help: 'Captures that were saved, by whether they made a memory, extended one, or were saved already.',
    labelNames: ['status'],
    registers,
  });
  const queries = new Counter({
    name: 'recollect_queries_total',
    help: 'Answered queries, by whether full text alone or embeddings too were searched.',
    labelNames: ['retrieval'],
    registers,
  });
  return {
    ...core,
    async capture(...call) {
      const outcome = await core.capture(...call);
      if (!outcome.replayed) for (const { status } of outcome.answer.captures) captures.inc({ status });
      return outcome;
    },
    async query(...call) {
      const outcome = await core.query(...call);
      queries.inc({ retrieval: outcome.retrieval });
      return outcome;
    },
  };
}
