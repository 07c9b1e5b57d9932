/** A trigger: after which change, which rows it reads, and what it does. */
export interface Trigger {
  name: string;
  change: string;
  /** By default each row, and otherwise all rows of a statement, as the table `changed`. */
  rows?: 'new' | 'old';
  body: string;
}

/** Lexemes of changes that are summed up in the write that exceeds them. A server sums up fewer while it is idle. */
const MAX_LEXEME_CHANGES = 100_000;

/** Notes how many of the rows of a statement have each lexeme. */
const noteLexemes = (sign: '' | '-') => `
    for one in select user_id, count(*) as size, array_agg(lexeme) as lexemes, array_agg(rows) as rows from (
        select user_id, lexeme, ${sign}count(*)::integer as rows from changed, unnest(tsvector_to_array(words)) as lexeme
        group by user_id, lexeme
      ) l group by user_id loop
      insert into lexeme_changes (user_id, size, lexemes, rows)
        values (one.user_id, one.size, one.lexemes, one.rows);
      if (select sum(size) from lexeme_changes where user_id = one.user_id) > ${MAX_LEXEME_CHANGES} then
        perform sum_lexemes(one.user_id);
      end if;
    end loop;`;

/** Keeps in memories which model has embedded them last. */
const markEmbedded = `for one in select user_id, array_agg(memory_id) as ids,
        array_agg(2 * model_id + has_passages) as models from changed group by user_id loop
      update memories m set embedded_by = c.model from unnest(one.ids, one.models) as c (id, model)
        where m.user_id = one.user_id and m.id = c.id;
    end loop;`;

/**
 * Counts of what a user has, so that nothing has to be counted, and announcements of changes. Each statement names one
 * user: in Citus a trigger runs on the machine of that user, which may only change rows of the same user.
 */
export const triggers: readonly Trigger[] = [
  {
    name: 'memories_inserted',
    change: 'insert on memories',
    rows: 'new',
    body: `for one in select user_id, count(*) filter (where deleted_at is null) as memories,
        count(*) filter (where deleted_at is not null) as trash,
        count(*) filter (where deleted_at is null and place = 'inbox') as inbox,
        count(*) filter (where deleted_at is null and place = 'later') as later from changed group by user_id loop
      insert into store_counts as s (user_id, memories, trash, inbox, later)
        values (one.user_id, one.memories, one.trash, one.inbox, one.later)
        on conflict (user_id) do update set memories = s.memories + excluded.memories, trash = s.trash + excluded.trash,
          inbox = s.inbox + excluded.inbox, later = s.later + excluded.later;
    end loop;`,
  },
  {
    name: 'memories_deleted',
    change: 'delete on memories',
    rows: 'old',
    body: `for one in select user_id, count(*) filter (where deleted_at is null) as memories,
        count(*) filter (where deleted_at is not null) as trash,
        count(*) filter (where deleted_at is null and place = 'inbox') as inbox,
        count(*) filter (where deleted_at is null and place = 'later') as later from changed group by user_id loop
      update store_counts set memories = memories - one.memories, trash = trash - one.trash,
        inbox = inbox - one.inbox, later = later - one.later where user_id = one.user_id;
    end loop;`,
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
    body: `for one in select user_id, memory_id, max(position) as last from changed group by user_id, memory_id loop
      update memories set chunk_count = one.last + 1
        where user_id = one.user_id and id = one.memory_id and chunk_count <= one.last;
    end loop;
    for one in select user_id, count(*) as count, sum(octet_length(text)) as bytes from changed group by user_id loop
      update store_counts set chunks = chunks + one.count, text_bytes = text_bytes + one.bytes
        where user_id = one.user_id;
    end loop;`,
  },
  {
    name: 'chunks_deleted',
    change: 'delete on chunks',
    rows: 'old',
    body: `for one in select user_id, memory_id, count(*) as count from changed group by user_id, memory_id loop
      update memories set chunk_count = chunk_count - one.count where user_id = one.user_id and id = one.memory_id;
    end loop;
    for one in select user_id, count(*) as count, sum(octet_length(text)) as bytes from changed group by user_id loop
      update store_counts set chunks = chunks - one.count, text_bytes = text_bytes - one.bytes
        where user_id = one.user_id;
    end loop;`,
  },
  {
    name: 'chunk_text_inserted',
    change: 'insert on chunk_text',
    rows: 'new',
    body: `for one in select user_id, count(*) as rows, sum(length) as words from changed group by user_id loop
      insert into text_counts as t (user_id, rows, words) values (one.user_id, one.rows, one.words)
        on conflict (user_id) do update set rows = t.rows + excluded.rows, words = t.words + excluded.words;
    end loop;
    ${noteLexemes('')}`,
  },
  {
    name: 'chunk_text_deleted',
    change: 'delete on chunk_text',
    rows: 'old',
    body: `for one in select user_id, count(*) as rows, sum(length) as words from changed group by user_id loop
      update text_counts set rows = rows - one.rows, words = words - one.words where user_id = one.user_id;
    end loop;
    ${noteLexemes('-')}`,
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
    name: 'embedded_memories_inserted',
    change: 'insert on embedded_memories',
    rows: 'new',
    body: markEmbedded,
  },
  {
    name: 'embedded_memories_updated',
    change: 'update on embedded_memories',
    rows: 'new',
    body: markEmbedded,
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
