import type { Core } from '@recollect/core';
import { Gauge, type Registry } from 'prom-client';

/** The gauges that are read from the store. They have no value while it cannot be read. */
export interface StateGauges {
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
export function createStateGauges(registry: Registry, core: Core): StateGauges {
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
