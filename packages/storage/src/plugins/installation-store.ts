import type { Installation, InstallationStore } from '@recollect/core';
import type { Selectable } from 'kysely';
import type { Database } from '../dialect.js';
import { isOfPlugin } from '../leases/lease-store.js';
import type { Tables } from '../tables.js';
import type { Observers } from './event-outbox.js';

type Row = Selectable<Tables['plugin_installations']>;

/** Installed plugins in a database, portable over dialects. */
export function createInstallationStore(
  { reader, writer, transaction }: Database,
  observers: Observers,
): InstallationStore {
  return {
    async find(slug) {
      const row = await reader
        .selectFrom('plugin_installations')
        .selectAll()
        .where('slug', '=', slug)
        .executeTakeFirst();
      return row === undefined ? null : toInstallation(row);
    },

    async list() {
      const rows = await reader.selectFrom('plugin_installations').selectAll().orderBy('slug').execute();
      return rows.map(toInstallation);
    },

    async insert(installation, now) {
      const { source, manifest } = installation;
      const { numInsertedOrUpdatedRows = 0n } = await writer
        .insertInto('plugin_installations')
        .values({ ...toColumns(installation), slug: manifest.slug, source, created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      observers.invalidate();
      return numInsertedOrUpdatedRows > 0n;
    },

    async update(slug, change, now) {
      const isKnown = await transaction(null, async (trx) => {
        const row = await trx
          .selectFrom('plugin_installations')
          .selectAll()
          .where('slug', '=', slug)
          .executeTakeFirst();
        if (row === undefined) return false;
        await trx
          .updateTable('plugin_installations')
          .set({ ...toColumns({ ...toInstallation(row), ...change }), updated_at: now })
          .where('slug', '=', slug)
          .execute();
        return true;
      });
      observers.invalidate();
      return isKnown;
    },

    async countFailedStart(slug) {
      const row = await writer
        .updateTable('plugin_installations')
        .set((eb) => ({ failed_starts: eb('failed_starts', '+', 1) }))
        .where('slug', '=', slug)
        .returning('failed_starts')
        .executeTakeFirst();
      return row?.failed_starts ?? 0;
    },

    remove: (slug) =>
      transaction(null, async (trx) => {
        // Leases are ended and never removed: a fence that restarted could admit an earlier holder.
        await trx
          .updateTable('leases')
          .set((eb) => ({ fence: eb('fence', '+', 1), ends: 0 }))
          .where((eb) => isOfPlugin(eb.ref('name'), slug))
          .execute();
        const { numDeletedRows } = await trx
          .deleteFrom('plugin_installations')
          .where('slug', '=', slug)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}

function toInstallation(row: Row): Installation {
  return {
    manifest: JSON.parse(row.manifest),
    source: row.source,
    sha256: row.sha256,
    isEnabled: row.is_enabled === 1,
    allowed: JSON.parse(row.allowed),
    configuration: JSON.parse(row.configuration),
    failedStarts: row.failed_starts,
    suspended: row.suspended_at === null ? null : { since: row.suspended_at, reason: row.suspended_because ?? '' },
  };
}

/** The columns that may change. */
function toColumns({ manifest, sha256, isEnabled, allowed, configuration, failedStarts, suspended }: Installation) {
  return {
    manifest: JSON.stringify(manifest),
    observes_captures: manifest.observesCaptures ? 1 : 0,
    sha256,
    is_enabled: isEnabled ? 1 : 0,
    allowed: JSON.stringify(allowed),
    configuration: JSON.stringify(configuration),
    failed_starts: failedStarts,
    suspended_at: suspended?.since ?? null,
    suspended_because: suspended?.reason ?? null,
  };
}
