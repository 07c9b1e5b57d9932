import { type Kysely, sql } from 'kysely';

/** Each table of a statement is limited to a user by its own column, so former texts have one too. */
const statements = [
  sql`alter table former_texts add column user_id text not null default ''`,
  sql`update former_texts set user_id = (
    select h.user_id from memory_history h where h.position = former_texts.position)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
