import { type Kysely, sql } from 'kysely';

/**
 * Seals: a hash over each memory's columns and text, by which damage is noticed that SQLite does not see. Memories of
 * earlier versions are sealed by the background check.
 */
const statements = [
  sql`alter table memories add column seal text`,
  // A change that does not renew the seal removes it, so that only damage makes a wrong one.
  sql`create trigger memories_unseal after update on memories
    when new.seal is old.seal and new.seal is not null
    begin
      update memories set seal = null where user_id = new.user_id and id = new.id;
    end`,
  sql`create trigger chunks_unseal_changed after update of text, position, memory_id on chunks
    begin
      update memories set seal = null where user_id = old.user_id and id = old.memory_id and seal is not null;
    end`,
  sql`create trigger chunks_unseal_deleted after delete on chunks
    begin
      update memories set seal = null where user_id = old.user_id and id = old.memory_id and seal is not null;
    end`,
  sql`create table damaged_memories (
    user_id text not null,
    memory_id text not null,
    found_at text not null,
    primary key (user_id, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`create table integrity_round (
    id integer primary key check (id = 1),
    user_id text not null,
    memory_id text not null,
    started_at text not null,
    finished_at text
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
