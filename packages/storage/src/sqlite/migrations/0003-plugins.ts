import { type Kysely, sql } from 'kysely';

const statements = [
  // One table for all leases, timed in milliseconds by a monotonic clock.
  sql`create table leases (
    user_id text not null,
    name text not null,
    fence integer not null,
    started integer not null,
    ends integer not null,
    primary key (user_id, name)
  ) without rowid`,
  sql`alter table indexing_jobs drop column lease_until`,
  sql`alter table indexing_jobs drop column fence`,
  sql`create table plugin_installations (
    slug text primary key,
    source text not null,
    manifest text not null,
    sha256 text not null,
    observes_captures integer not null,
    is_enabled integer not null,
    allowed text not null,
    configuration text not null,
    failed_starts integer not null,
    suspended_at text,
    suspended_because text,
    created_at text not null,
    updated_at text not null
  ) without rowid`,
  sql`create table plugin_schedules (
    user_id text not null,
    slug text not null references plugin_installations (slug) on delete cascade,
    job_id text not null,
    is_enabled integer not null,
    interval_minutes integer not null,
    next_run_at text,
    set_at text not null,
    primary key (user_id, slug, job_id)
  ) without rowid`,
  sql`create index plugin_schedules_by_plugin on plugin_schedules (slug)`,
  sql`create index plugin_schedules_due on plugin_schedules (next_run_at) where is_enabled = 1`,
  sql`create table plugin_runs (
    position integer primary key autoincrement,
    user_id text not null,
    id text not null,
    slug text not null references plugin_installations (slug) on delete cascade,
    job_id text not null,
    cause text not null,
    status text not null,
    summary text not null,
    details text not null,
    started_at text not null,
    finished_at text not null
  )`,
  sql`create index plugin_runs_by_job on plugin_runs (user_id, slug, job_id, position)`,
  sql`create index plugin_runs_by_plugin on plugin_runs (slug)`,
  // Events are delivered in commit order, not by the clock.
  sql`create table plugin_events (
    position integer primary key autoincrement,
    user_id text not null,
    slug text not null references plugin_installations (slug) on delete cascade,
    id text not null,
    memory_id text not null,
    failures integer not null,
    due_at text not null,
    set_at text not null,
    is_parked integer not null,
    last_error text,
    created_at text not null
  )`,
  sql`create index plugin_events_by_plugin on plugin_events (slug, user_id, is_parked, position)`,
  sql`create table plugin_told (
    user_id text not null,
    slug text not null references plugin_installations (slug) on delete cascade,
    count integer not null,
    primary key (user_id, slug)
  ) without rowid`,
  sql`create index plugin_told_by_plugin on plugin_told (slug)`,
  sql`create table plugin_state (
    user_id text not null,
    slug text not null references plugin_installations (slug) on delete cascade,
    key text not null,
    value text not null,
    updated_at text not null,
    primary key (user_id, slug, key)
  ) without rowid`,
  sql`create index plugin_state_by_plugin on plugin_state (slug)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
