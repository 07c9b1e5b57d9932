import { type Kysely, sql } from 'kysely';
import { addStatistics } from '../planner-statistics.js';

/** One-time codes with which a device gets an API key. */
const statements = [
  sql`create table pairing_codes (
    user_id text not null,
    id text not null,
    hash text not null unique,
    expires_at text not null,
    api_key_id text,
    primary key (user_id, id),
    foreign key (user_id, api_key_id) references api_keys (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index pairing_codes_by_key on pairing_codes (user_id, api_key_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  await addStatistics(db, {
    pairing_codes: {
      pairing_codes: '10 10 1',
      sqlite_autoindex_pairing_codes_1: '10 1',
      pairing_codes_by_key: '10 10 5',
    },
  });
}
