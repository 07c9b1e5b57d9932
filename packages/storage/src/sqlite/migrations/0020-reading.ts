import { type Kysely, sql } from 'kysely';

/** The user's star, and how much they have read. These change often, so that no seal covers them. */
const statements = [
  sql`alter table memories add column starred integer not null default 0`,
  sql`alter table memories add column read_state text not null default 'unread'`,
  sql`alter table memories add column progress real not null default 0`,
  sql`alter table memories add column opened_at text`,
  sql`drop trigger memories_unseal`,
  sql`create trigger memories_unseal after update of user_id, id, title, url, url_key, site, source_type, source_app,
      capture_mode, tags, note, metadata, page, content_hash, turns, turn_starts, client, client_name, client_key,
      captured_at, last_captured_at, updated_at, deleted_at, deleted_elapsed, seal on memories
    when new.seal is old.seal and new.seal is not null
    begin
      update memories set seal = null where user_id = new.user_id and id = new.id;
    end`,
  sql`create index memories_starred on memories (user_id, captured_at, id) where starred = 1 and deleted_at is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
