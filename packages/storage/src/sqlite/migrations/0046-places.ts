import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/**
 * Where the user keeps a memory, and how many are in the inbox and kept for later. Memories from before are in the
 * archive: an inbox with all of them would be of no use. So both indexes are empty at first. No seal covers the column,
 * since it changes often.
 */
const statements = [
  sql`alter table memories add column place text not null default 'archive'`,
  sql`alter table store_counts add column inbox integer not null default 0`,
  sql`alter table store_counts add column later integer not null default 0`,
  sql`create index memories_in_inbox on memories (user_id, captured_at, id)
      where place = 'inbox' and deleted_at is null`,
  sql`create index memories_for_later on memories (user_id, captured_at, id)
      where place = 'later' and deleted_at is null`,
  sql`drop trigger memories_count_inserted`,
  sql`drop trigger memories_count_deleted`,
  sql`drop trigger memories_count_trashed`,
  sql`create trigger memories_count_inserted after insert on memories begin
    insert into store_counts (user_id, memories, trash, inbox, later)
      values (new.user_id, new.deleted_at is null, new.deleted_at is not null,
        new.deleted_at is null and new.place = 'inbox', new.deleted_at is null and new.place = 'later')
      on conflict (user_id) do update set memories = memories + excluded.memories, trash = trash + excluded.trash,
        inbox = inbox + excluded.inbox, later = later + excluded.later;
  end`,
  sql`create trigger memories_count_deleted after delete on memories begin
    update store_counts set memories = memories - (old.deleted_at is null), trash = trash - (old.deleted_at is not null),
      inbox = inbox - (old.deleted_at is null and old.place = 'inbox'),
      later = later - (old.deleted_at is null and old.place = 'later')
      where user_id = old.user_id;
  end`,
  sql`create trigger memories_count_moved after update of deleted_at, place on memories
    when (old.deleted_at is null) <> (new.deleted_at is null) or old.place <> new.place begin
    update store_counts set
      memories = memories + (new.deleted_at is null) - (old.deleted_at is null),
      trash = trash + (new.deleted_at is not null) - (old.deleted_at is not null),
      inbox = inbox + (new.deleted_at is null and new.place = 'inbox') - (old.deleted_at is null and old.place = 'inbox'),
      later = later + (new.deleted_at is null and new.place = 'later') - (old.deleted_at is null and old.place = 'later')
      where user_id = new.user_id;
  end`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, { memories: { memories_in_inbox: '1000 1000 2 1', memories_for_later: '1000 1000 2 1' } });
}
