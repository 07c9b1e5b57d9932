import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/**
 * The imports, and which of them created a memory, so that an import can be undone. Memories from before belong to
 * none. No seal covers the column, which is never shown.
 */
const statements = [
  sql`create table imports (
    user_id text not null,
    id text not null,
    at text not null,
    name text not null,
    programs text not null,
    created integer,
    updated integer,
    undo_id text,
    primary key (user_id, id)
  ) without rowid`,
  sql`alter table memories add column import_id text`,
  sql`create index memories_by_import on memories (user_id, import_id, id) where import_id is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, {
    imports: { imports: '20 20 1' },
    memories: { memories_by_import: '1000 1000 100 1' },
  });
}
