import { type Kysely, sql } from 'kysely';

/** The last errors of the server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table error_log (
    operation text not null,
    code text not null,
    cause text not null,
    count integer not null,
    first_at text not null,
    last_at text not null,
    request_id text,
    frames text not null,
    primary key (operation, code, cause)
  ) without rowid`.execute(db);
}
