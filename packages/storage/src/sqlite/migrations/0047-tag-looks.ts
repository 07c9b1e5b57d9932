import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** Icons and colours of tags. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table tag_looks (
    user_id text not null,
    key text not null,
    tag text not null,
    icon text,
    colour text,
    primary key (user_id, key)
  ) without rowid`.execute(db);
  await addStatistics(db, { tag_looks: { tag_looks: '100 100 1' } });
}
