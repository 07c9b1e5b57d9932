import { type Kysely, sql } from 'kysely';
import { hashOf } from '../../memories/checksum.js';
import type { Tables } from '../../tables.js';

/** Hashes by which an import recognises a changed text, for longer than the history keeps it. */
const statements = [
  sql`create table former_hashes (
    user_id text not null,
    content_hash text not null,
    memory_id text not null,
    primary key (user_id, content_hash),
    foreign key (user_id, memory_id) references memories (user_id, id) on delete cascade
  ) without rowid`,
  sql`create index former_hashes_by_memory on former_hashes (user_id, memory_id)`,
];

export async function up(db: Kysely<Tables>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  const edits = db
    .selectFrom('former_texts')
    .innerJoin('memory_history', 'memory_history.position', 'former_texts.position')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.user_id', '=', 'memory_history.user_id')
        .onRef('memories.id', '=', 'memory_history.memory_id'),
    )
    .where('kind', '=', 'edited')
    .orderBy('former_texts.position');
  const rows = await edits.select('former_texts.position').execute();
  // One at a time, since a text may have megabytes.
  for (const { position } of rows) {
    const { text, user_id, memory_id, url_key } = await edits
      .select(['former_texts.text', 'memory_history.user_id', 'memory_id', 'url_key'])
      .where('former_texts.position', '=', position)
      .executeTakeFirstOrThrow();
    await db
      .replaceInto('former_hashes')
      .values({ user_id, memory_id, content_hash: hashOf(url_key, text) })
      .execute();
  }
}
