import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** The accounts of people at a provider of identities. */
const statements = [
  sql`create table identities (
    user_id text not null,
    issuer text not null,
    subject text not null,
    api_key_id text not null,
    created_at text not null,
    primary key (user_id, issuer, subject),
    unique (issuer, subject),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index identities_by_key on identities (user_id, api_key_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, {
    identities: {
      identities: '10 1 1 1',
      sqlite_autoindex_identities_2: '10 10 1',
      identities_by_key: '10 1 1',
    },
  });
}
