import { type Kysely, sql } from 'kysely';

/**
 * The token vectors of chunks, as signs, for late interaction. They belong to an embedding and are removed with it. Not
 * without rowid: a row has up to 10 KB, which would fill a page of the key's tree.
 */
const statements = [
  sql`create table passage_vectors (
    user_id text not null,
    model_id integer not null,
    chunk_id integer not null,
    signs blob not null,
    unique (user_id, model_id, chunk_id),
    foreign key (user_id, model_id, chunk_id) references embeddings (user_id, model_id, chunk_id) on delete cascade
  )`,
  sql`alter table embedded_memories add column has_passages integer not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
