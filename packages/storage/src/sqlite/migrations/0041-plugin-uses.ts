import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** The plugins that people besides the local user have switched on for themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table plugin_uses (
    user_id text not null,
    slug text not null,
    since text not null,
    primary key (user_id, slug),
    foreign key (slug) references plugin_installations (slug) on delete cascade
  ) without rowid`.execute(db);
  await sql`create index plugin_uses_by_plugin on plugin_uses (slug)`.execute(db);
  await addStatistics(db, { plugin_uses: { plugin_uses: '20 3 1', plugin_uses_by_plugin: '20 5' } });
}
