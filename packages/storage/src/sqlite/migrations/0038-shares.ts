import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** Tags and saved searches that people share, and the memories that others add to them. */
const statements = [
  sql`create table shares (
    user_id text not null,
    id text not null,
    tag text,
    tag_key text,
    search_id text,
    person_id text,
    may_add integer not null,
    shows_text integer not null,
    token text,
    hash text,
    created_at text not null,
    primary key (user_id, id),
    foreign key (user_id, search_id) references saved_searches (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index shares_by_person on shares (person_id, id)`,
  sql`create index shares_by_hash on shares (hash) where hash is not null`,
  sql`create index shares_by_search on shares (user_id, search_id)`,
  sql`create table shared_memories (
    user_id text not null,
    memory_id text not null,
    owner_id text not null,
    share_id text not null,
    captured_at text not null,
    added_at text not null,
    primary key (user_id, memory_id, owner_id, share_id),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index shared_memories_by_share on shared_memories (owner_id, share_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, {
    shares: {
      shares: '20 5 1',
      shares_by_hash: '10 1 1 1',
      shares_by_person: '20 5 1',
      shares_by_search: '20 5 2',
    },
    shared_memories: {
      shared_memories: '100 50 1 1 1',
      shared_memories_by_share: '100 50 25',
    },
  });
}
