import Sqlite from 'better-sqlite3';

/** The statements that undo each migration, newest first. */
const REVERTS: readonly [name: string, sql: string][] = [
  ['0052-links-by-address', `delete from note_links where instr(name_key, '/') > 0`],
  ['0051-imports', 'drop index memories_by_import; alter table memories drop column import_id; drop table imports'],
  [
    '0049-highlight-reviews',
    `drop index highlights_by_review; alter table highlights drop column reviewed_at;
    alter table highlights drop column reviewed_before; alter table highlights drop column dismissed`,
  ],
  ['0048-highlight-colours', 'alter table highlights drop column colour'],
  ['0047-tag-looks', 'drop table tag_looks'],
  [
    '0046-places',
    `drop index memories_in_inbox; drop index memories_for_later;
    drop trigger memories_count_inserted; drop trigger memories_count_deleted; drop trigger memories_count_moved;
    alter table memories drop column place;
    alter table store_counts drop column inbox; alter table store_counts drop column later;
    create trigger memories_count_inserted after insert on memories begin
      insert into store_counts (user_id, memories, trash)
        values (new.user_id, new.deleted_at is null, new.deleted_at is not null)
        on conflict (user_id) do update set memories = memories + excluded.memories, trash = trash + excluded.trash;
    end;
    create trigger memories_count_deleted after delete on memories begin
      update store_counts set memories = memories - (old.deleted_at is null),
        trash = trash - (old.deleted_at is not null) where user_id = old.user_id;
    end;
    create trigger memories_count_trashed after update of deleted_at on memories
      when (old.deleted_at is null) <> (new.deleted_at is null) begin
      update store_counts set
        memories = memories + (new.deleted_at is null) - (old.deleted_at is null),
        trash = trash + (new.deleted_at is not null) - (old.deleted_at is not null)
        where user_id = new.user_id;
    end`,
  ],
  ['0043-former-text-users', 'alter table former_texts drop column user_id'],
  ['0041-plugin-uses', 'drop table plugin_uses'],
  ['0040-provider-sessions', 'alter table web_sessions drop column provider_session'],
  ['0039-challenges', 'drop table used_challenges; drop table server_secrets'],
  ['0038-shares', 'drop table shared_memories; drop table shares'],
  ['0037-identities', 'drop table identities'],
  [
    '0036-text-bytes',
    `drop trigger chunks_count_inserted; drop trigger chunks_count_deleted;
    alter table store_counts drop column text_bytes;
    create trigger chunks_count_inserted after insert on chunks begin
      update memories set chunk_count = new.position + 1
        where user_id = new.user_id and id = new.memory_id and chunk_count <= new.position;
      update store_counts set chunks = chunks + 1 where user_id = new.user_id;
    end;
    create trigger chunks_count_deleted after delete on chunks begin
      update memories set chunk_count = chunk_count - 1 where user_id = old.user_id and id = old.memory_id;
      update store_counts set chunks = chunks - 1 where user_id = old.user_id;
    end`,
  ],
  ['0035-sign-in', 'drop table invitations; drop table passkeys; drop table audit_log'],
  ['0034-users', 'drop table users'],
  ['0033-pairing-codes', 'drop table pairing_codes'],
  ['0032-comments', 'drop table comment_text; alter table memories drop column comments'],
  ['0031-proclitics', ''],
  ['0030-note-links', 'drop index memories_by_name; drop table note_links; alter table memories drop column name_key'],
  [
    '0029-kept-counts',
    `create index memories_by_title on memories (user_id, lower(title)) where deleted_at is null;
    drop index memories_by_model; drop index memories_by_length; drop index memories_by_title_key;
    drop index memories_by_opening; drop index memories_by_site;
    drop index memories_in_trash_by_content; drop index memories_in_trash_by_url;
    drop trigger memories_count_inserted; drop trigger memories_count_deleted; drop trigger memories_count_trashed;
    drop trigger chunks_count_inserted; drop trigger chunks_count_deleted;
    drop trigger highlights_count_inserted; drop trigger highlights_count_deleted;
    drop trigger pictures_count_inserted; drop trigger pictures_count_deleted;
    drop trigger embedded_memories_mark_inserted; drop trigger embedded_memories_mark_updated;
    drop trigger embedded_memories_mark_deleted;
    drop table store_counts;
    alter table memories drop column chunk_count; alter table memories drop column embedded_by;
    alter table memories drop column title_key`,
  ],
  ['0028-all-statistics', ''],
  ['0027-routes-links-files', 'alter table memories drop column is_link'],
  ['0026-sources', ''],
  ['0025-former-hashes', 'drop table former_hashes'],
  ['0024-titles', 'drop index memories_by_title'],
  ['0023-plain-letters', ''],
  ['0022-pictures', 'drop table memory_pictures; drop table site_favicons; drop table pictures'],
  ['0021-saved-searches', 'drop table saved_searches'],
  [
    '0020-reading',
    `drop index memories_starred;
    drop trigger memories_unseal;
    create trigger memories_unseal after update on memories when new.seal is old.seal and new.seal is not null
      begin update memories set seal = null where user_id = new.user_id and id = new.id; end;
    alter table memories drop column starred; alter table memories drop column read_state;
    alter table memories drop column progress; alter table memories drop column opened_at`,
  ],
  ['0019-words', 'drop table words'],
  ['0018-spellings', ''],
  ['0017-passage-vectors', 'drop table passage_vectors; alter table embedded_memories drop column has_passages'],
  ['0016-merged-text', "insert into chunk_text (chunk_text, rank) values ('usermerge', 4)"],
  ['0015-planner-statistics', 'delete from sqlite_stat1'],
  ['0014-removed-vectors', 'alter table index_changes drop column removed_vectors'],
  [
    '0013-tag-keys',
    `drop table memory_tags;
    create table memory_tags (user_id text not null, tag text not null, memory_id text not null,
      primary key (user_id, tag, memory_id),
      foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade) without rowid;
    create index memory_tags_by_memory on memory_tags (user_id, memory_id);
    insert into memory_tags select m.user_id, t.value, m.id from memories m, json_each(m.tags) t`,
  ],
  [
    '0012-former-texts',
    `drop table former_texts;
    drop index memories_by_url;
    create index memories_by_url on memories (user_id, url_key) where deleted_at is null and url_key is not null`,
  ],
];

/** Gives a closed store the schema from before a migration. */
export function revert(path: string, migration: string): void {
  const database = new Sqlite(path);
  for (const [name, sql] of REVERTS.filter(([name]) => name >= migration)) {
    database.exec(sql);
    database.prepare('delete from kysely_migration where name = ?').run(name);
  }
  database.close();
}
