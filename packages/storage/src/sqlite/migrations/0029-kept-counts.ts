import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/**
 * Values that were counted or looked for among all memories are now updated with each change.
 * See `Tables` for the columns.
 */
const columns = [
  sql`alter table memories add column chunk_count integer not null default 0`,
  sql`alter table memories add column embedded_by integer`,
  sql`alter table memories add column title_key text not null default ''`,
  sql`create table store_counts (
    user_id text primary key,
    memories integer not null default 0,
    trash integer not null default 0,
    chunks integer not null default 0,
    highlights integer not null default 0,
    pictures integer not null default 0,
    picture_bytes integer not null default 0
  ) without rowid`,
];

const values = [
  sql`update memories set
    chunk_count = (select count(*) from chunks c where c.user_id = memories.user_id and c.memory_id = memories.id),
    embedded_by = (select max(2 * e.model_id + e.has_passages) from embedded_memories e
      where e.user_id = memories.user_id and e.memory_id = memories.id),
    title_key = sort_key(substr(title, 1, 100))`,
  // Images that are unused are removed with what had them from now on.
  sql`delete from site_favicons where (user_id, site) not in (
    select user_id, site from memories where site is not null)`,
  sql`delete from pictures where (user_id, hash) not in (select user_id, hash from memory_pictures)
    and (user_id, hash) not in (select user_id, hash from site_favicons)`,
  sql`insert into store_counts (user_id, memories, trash, chunks)
    select user_id, sum(deleted_at is null), sum(deleted_at is not null), sum(chunk_count) from memories group by user_id`,
  sql`update store_counts set
    highlights = (select count(*) from highlights h where h.user_id = store_counts.user_id),
    pictures = (select count(*) from pictures p where p.user_id = store_counts.user_id),
    picture_bytes = (select coalesce(sum(length(p.bytes)), 0) from pictures p where p.user_id = store_counts.user_id)`,
];

const indexes = [
  sql`create index memories_by_model on memories (user_id, embedded_by, id, chunk_count) where deleted_at is null`,
  sql`create index memories_by_length on memories (user_id, chunk_count, id) where deleted_at is null`,
  // A title is also looked for by this key.
  sql`drop index memories_by_title`,
  sql`create index memories_by_title_key on memories (user_id, title_key, id) where deleted_at is null`,
  sql`create index memories_by_opening on memories (user_id, coalesce(opened_at, ''), id) where deleted_at is null`,
  // Includes deleted_at for counts by site, which then read no memory.
  sql`create index memories_by_site on memories (user_id, site, deleted_at) where site is not null`,
  // An import asks which of its memories are in the trash.
  sql`create index memories_in_trash_by_content on memories (user_id, content_hash) where deleted_at is not null`,
  sql`create index memories_in_trash_by_url on memories (user_id, url_key)
    where deleted_at is not null and url_key is not null`,
];

const triggers = [
  sql`create trigger memories_count_inserted after insert on memories begin
    insert into store_counts (user_id, memories, trash)
      values (new.user_id, new.deleted_at is null, new.deleted_at is not null)
      on conflict (user_id) do update set memories = memories + excluded.memories, trash = trash + excluded.trash;
  end`,
  sql`create trigger memories_count_deleted after delete on memories begin
    update store_counts set memories = memories - (old.deleted_at is null), trash = trash - (old.deleted_at is not null)
      where user_id = old.user_id;
  end`,
  sql`create trigger memories_count_trashed after update of deleted_at on memories
    when (old.deleted_at is null) <> (new.deleted_at is null) begin
    update store_counts set
      memories = memories + (new.deleted_at is null) - (old.deleted_at is null),
      trash = trash + (new.deleted_at is not null) - (old.deleted_at is not null)
      where user_id = new.user_id;
  end`,
  // A new memory has its number from the start, so that its row is not written again for each chunk.
  sql`create trigger chunks_count_inserted after insert on chunks begin
    update memories set chunk_count = new.position + 1
      where user_id = new.user_id and id = new.memory_id and chunk_count <= new.position;
    update store_counts set chunks = chunks + 1 where user_id = new.user_id;
  end`,
  sql`create trigger chunks_count_deleted after delete on chunks begin
    update memories set chunk_count = chunk_count - 1 where user_id = old.user_id and id = old.memory_id;
    update store_counts set chunks = chunks - 1 where user_id = old.user_id;
  end`,
  sql`create trigger highlights_count_inserted after insert on highlights begin
    update store_counts set highlights = highlights + 1 where user_id = new.user_id;
  end`,
  sql`create trigger highlights_count_deleted after delete on highlights begin
    update store_counts set highlights = highlights - 1 where user_id = old.user_id;
  end`,
  sql`create trigger pictures_count_inserted after insert on pictures begin
    update store_counts set pictures = pictures + 1, picture_bytes = picture_bytes + length(new.bytes)
      where user_id = new.user_id;
  end`,
  sql`create trigger pictures_count_deleted after delete on pictures begin
    update store_counts set pictures = pictures - 1, picture_bytes = picture_bytes - length(old.bytes)
      where user_id = old.user_id;
  end`,
  sql`create trigger embedded_memories_mark_inserted after insert on embedded_memories begin
    update memories set embedded_by = 2 * new.model_id + new.has_passages
      where user_id = new.user_id and id = new.memory_id;
  end`,
  sql`create trigger embedded_memories_mark_updated after update of has_passages on embedded_memories
    when old.has_passages <> new.has_passages begin
    update memories set embedded_by = 2 * new.model_id + new.has_passages
      where user_id = new.user_id and id = new.memory_id;
  end`,
  sql`create trigger embedded_memories_mark_deleted after delete on embedded_memories begin
    update memories set embedded_by = (
      select max(2 * e.model_id + e.has_passages) from embedded_memories e
      where e.user_id = old.user_id and e.memory_id = old.memory_id)
      where user_id = old.user_id and id = old.memory_id;
  end`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...columns, ...values, ...indexes, ...triggers]) await statement.execute(db);
  await addStatistics(db, {
    memories: {
      memories_by_model: '100000 100000 1000 1 1',
      memories_by_length: '100000 100000 1000 1',
      memories_by_title_key: '100000 100000 2 1',
      memories_by_opening: '100000 100000 2 1',
      memories_in_trash_by_content: '1000 1000 1',
      memories_in_trash_by_url: '1000 1000 2',
      memories_by_site: '100000 100000 20 20',
    },
    store_counts: { store_counts: '1 1' },
  });
}
