import { type Expression, type SqlBool, sql } from 'kysely';
import { startsWith } from '../starts-with.js';

/** The names of leases: as values to claim them by, and as SQL to ask which rows are free. */
export const leaseNames = {
  indexing: 'indexing',
  events: (slug: string) => `events:${slug}`,
  job: (slug: string, jobId: string) => `job:${slug}/${jobId}`,
};

export const leaseNamesInSql = {
  indexing: sql.lit(leaseNames.indexing),
  events: (slug: Expression<string>) => sql<string>`'events:' || ${slug}`,
  job: (slug: Expression<string>, jobId: Expression<string>) => sql<string>`'job:' || ${slug} || '/' || ${jobId}`,
};

/** The condition that a lease name belongs to a plugin: to its events or to one of its jobs. */
export function isOfPlugin(name: Expression<string>, slug: string) {
  return sql<SqlBool>`(${name} = ${leaseNames.events(slug)} or ${startsWith(name, leaseNames.job(slug, ''))})`;
}
