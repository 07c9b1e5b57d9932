/** A trigger: after which change, which rows it reads, and what it does. */
export interface Trigger {
  name: string;
  change: string;
  /** By default each row, and otherwise all rows of a statement, as the table `changed`. */
  rows?: 'new' | 'old';
  body: string;
}

/** Counts of what a user has, so that nothing has to be counted, and announcements of changes. */
export const triggers: readonly Trigger[] = [
  {
    name: 'memories_inserted',
    change: 'insert on memories',
    rows: 'new',
    body: `insert into store_counts (user_id, memories, trash, inbox, later)
      select user_id, count(*) filter (where deleted_at is null), count(*) filter (where deleted_at is not null),
        count(*) filter (where deleted_at is null and place = 'inbox'),
        count(*) filter (where deleted_at is null and place = 'later')
      from changed group by user_id
      on conflict (user_id) do update
      set memories = store_counts.memories + excluded.memories, trash = store_counts.trash + excluded.trash,
        inbox = store_counts.inbox + excluded.inbox, later = store_counts.later + excluded.later;`,
  },
  {
    name: 'memories_deleted',
    change: 'delete on memories',
    rows: 'old',
    body: `update store_counts s set memories = s.memories - c.memories, trash = s.trash - c.trash,
        inbox = s.inbox - c.inbox, later = s.later - c.later from (
        select user_id, count(*) filter (where deleted_at is null) as memories,
          count(*) filter (where deleted_at is not null) as trash,
          count(*) filter (where deleted_at is null and place = 'inbox') as inbox,
          count(*) filter (where deleted_at is null and place = 'later') as later from changed group by user_id
      ) c where s.user_id = c.user_id;`,
  },
  {
    name: 'memories_moved',
    change: 'update of deleted_at, place on memories',
    body: `update store_counts set
      memories = memories + (new.deleted_at is null)::int - (old.deleted_at is null)::int,
      trash = trash + (new.deleted_at is not null)::int - (old.deleted_at is not null)::int,
      inbox = inbox + (new.deleted_at is null and new.place = 'inbox')::int
        - (old.deleted_at is null and old.place = 'inbox')::int,
      later = later + (new.deleted_at is null and new.place = 'later')::int
        - (old.deleted_at is null and old.place = 'later')::int
      where user_id = new.user_id;`,
  },
  {
    name: 'chunks_inserted',
    change: 'insert on chunks',
    rows: 'new',
    body: `update memories m set chunk_count = c.last + 1 from (
        select user_id, memory_id, max(position) as last from changed group by user_id, memory_id
      ) c where m.user_id = c.user_id and m.id = c.memory_id and m.chunk_count <= c.last;
    update store_counts s set chunks = s.chunks + c.count, text_bytes = s.text_bytes + c.bytes from (
        select user_id, count(*) as count, sum(octet_length(text)) as bytes from changed group by user_id
      ) c where s.user_id = c.user_id;`,
  },
  {
    name: 'chunks_deleted',
    change: 'delete on chunks',
    rows: 'old',
    body: `update memories m set chunk_count = m.chunk_count - c.count from (
        select user_id, memory_id, count(*) as count from changed group by user_id, memory_id
      ) c where m.user_id = c.user_id and m.id = c.memory_id;
    update store_counts s set chunks = s.chunks - c.count, text_bytes = s.text_bytes - c.bytes from (
        select user_id, count(*) as count, sum(octet_length(text)) as bytes from changed group by user_id
      ) c where s.user_id = c.user_id;`,
  },
  {
    name: 'chunk_text_inserted',
    change: 'insert on chunk_text',
    rows: 'new',
    body: `insert into text_counts (user_id, rows, words)
      select user_id, count(*), sum(length) from changed group by user_id
      on conflict (user_id) do update
      set rows = text_counts.rows + excluded.rows, words = text_counts.words + excluded.words;`,
  },
  {
    name: 'chunk_text_deleted',
    change: 'delete on chunk_text',
    rows: 'old',
    body: `update text_counts t set rows = t.rows - c.rows, words = t.words - c.words from (
        select user_id, count(*) as rows, sum(length) as words from changed group by user_id
      ) c where t.user_id = c.user_id;`,
  },
  {
    name: 'changes_announced',
    change: 'insert on index_changes',
    rows: 'new',
    // Equal announcements of a transaction are sent once.
    body: `perform pg_notify('recollect_changes', user_id) from changed group by user_id;`,
  },
  {
    name: 'highlights_inserted',
    change: 'insert on highlights',
    body: 'update store_counts set highlights = highlights + 1 where user_id = new.user_id;',
  },
  {
    name: 'highlights_deleted',
    change: 'delete on highlights',
    body: 'update store_counts set highlights = highlights - 1 where user_id = old.user_id;',
  },
  {
    name: 'pictures_inserted',
    change: 'insert on pictures',
    body: `update store_counts set pictures = pictures + 1, picture_bytes = picture_bytes + length(new.bytes)
      where user_id = new.user_id;`,
  },
  {
    name: 'pictures_deleted',
    change: 'delete on pictures',
    body: `update store_counts set pictures = pictures - 1, picture_bytes = picture_bytes - length(old.bytes)
      where user_id = old.user_id;`,
  },
  {
    name: 'embedded_memories_written',
    change: 'insert or update on embedded_memories',
    body: `update memories set embedded_by = 2 * new.model_id + new.has_passages
      where user_id = new.user_id and id = new.memory_id;`,
  },
  {
    name: 'embedded_memories_deleted',
    change: 'delete on embedded_memories',
    body: `update memories set embedded_by = (
      select max(2 * e.model_id + e.has_passages) from embedded_memories e
      where e.user_id = old.user_id and e.memory_id = old.memory_id)
      where user_id = old.user_id and id = old.memory_id;`,
  },
];
