import { type Kysely, sql } from 'kysely';

/** Each image is stored once. Images that no memory or site uses any more are removed with the trash. */
const statements = [
  sql`create table pictures (
    user_id text not null,
    hash text not null,
    type text not null,
    width integer not null,
    height integer not null,
    bytes blob not null,
    primary key (user_id, hash)
  )`,
  sql`create table memory_pictures (
    user_id text not null,
    memory_id text not null,
    hash text not null,
    primary key (user_id, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade,
    foreign key (user_id, hash) references pictures (user_id, hash)
  ) without rowid`,
  sql`create index memory_pictures_by_hash on memory_pictures (user_id, hash)`,
  sql`create table site_favicons (
    user_id text not null,
    site text not null,
    hash text not null,
    primary key (user_id, site),
    foreign key (user_id, hash) references pictures (user_id, hash)
  ) without rowid`,
  sql`create index site_favicons_by_hash on site_favicons (user_id, hash)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
