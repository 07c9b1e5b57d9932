import type { Installation, InstallationChange, InstallationStore } from '@recollect/core';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Observers } from './observers.js';
import type { Database, Tables } from '../tables.js';

type Row = Selectable<Tables['plugin_installations']>;

/** Installed plugins in a database, portable over dialects. */
export function createInstallationStore({ reader, writer }: Database, observers: Observers): InstallationStore {
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
        .values({
          ...toRow(installation),
          slug: manifest.slug,
          source,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      observers.forget();
      return numInsertedOrUpdatedRows > 0n;
    },

    async update(slug, change, now) {
      const { numUpdatedRows } = await writer
        .updateTable('plugin_installations')
        .set({ ...toChange(change), updated_at: now })
        .where('slug', '=', slug)
        .executeTakeFirst();
      observers.forget();
      return numUpdatedRows > 0n;
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
      writer.transaction().execute(async (trx) => {
        // A fence that began anew could let in who held an earlier one, so leases are ended and never removed.
        await trx
          .updateTable('leases')
          .set((eb) => ({ fence: eb('fence', '+', 1), ends: 0 }))
          .where(sql<boolean>`name = ${`events:${slug}`} or substr(name, 1, ${slug.length + 5}) = ${`job:${slug}/`}`)
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

function toRow({ manifest, sha256, isEnabled, allowed, configuration, failedStarts, suspended }: Installation) {
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

/** The columns of what a change gives; the others stay. */
function toChange(change: InstallationChange): Updateable<Tables['plugin_installations']> {
  const columns: Record<keyof InstallationChange, readonly (keyof ReturnType<typeof toRow>)[]> = {
    manifest: ['manifest', 'observes_captures'],
    sha256: ['sha256'],
    isEnabled: ['is_enabled'],
    allowed: ['allowed'],
    configuration: ['configuration'],
    failedStarts: ['failed_starts'],
    suspended: ['suspended_at', 'suspended_because'],
  };
  const given = (Object.keys(columns) as (keyof InstallationChange)[]).filter((key) => key in change);
  const row = toRow({ ...NOTHING, ...change });
  return Object.fromEntries(given.flatMap((key) => columns[key].map((column) => [column, row[column]])));
}

/** Stands for what a change does not give. */
const NOTHING: Installation = {
  manifest: {
    slug: '',
    version: '',
    title: '',
    description: null,
    scopes: [],
    permissions: [],
    observesCaptures: false,
    jobs: [],
    configurationSchema: {},
  },
  source: 'folder',
  sha256: '',
  isEnabled: false,
  allowed: [],
  configuration: {},
  failedStarts: 0,
  suspended: null,
};
