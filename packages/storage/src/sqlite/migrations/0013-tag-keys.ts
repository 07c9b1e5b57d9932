import { type Kysely, sql } from 'kysely';

/** Tags are found without regard to case. */
const statements = [
  sql`create table spelled_tags (
    user_id text not null,
    key text not null,
    memory_id text not null,
    tag text not null,
    primary key (user_id, key, memory_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`insert into spelled_tags (user_id, key, memory_id, tag)
    select user_id, tag_key(tag), memory_id, min(tag) from memory_tags group by user_id, tag_key(tag), memory_id`,
  sql`drop table memory_tags`,
  sql`alter table spelled_tags rename to memory_tags`,
  sql`create index memory_tags_by_memory on memory_tags (user_id, memory_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
