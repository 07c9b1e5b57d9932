import { type Kysely, sql } from 'kysely';
import { writeText } from '../../indexing/index-rows.js';
import { type IndexedRow, toTextRow } from '../../indexing/stored-text-row.js';
import type { Tables, Trx } from '../../tables.js';
import { indexedColumns } from '../doctor/write-missing-text.js';
import { removeChunkText, textIndexTable } from '../text-index-table.js';

/** Chunks that are read at a time. */
const BATCH = 1_000;

/**
 * Makes pages searchable by author, site and address: writes the rows of their first chunks again, with these words.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  // The migrator runs every migration in a transaction.
  const place = { trx: db as Trx, indexes: { text: textIndexTable } };
  for (let last = 0; ; ) {
    const { rows } = await sql<IndexedRow>`
      select ${indexedColumns} from chunks c join memories m on m.user_id = c.user_id and m.id = c.memory_id
      where c.position = 0 and m.deleted_at is null and (m.url is not null or m.metadata like '%"author":%' or m.metadata like '%"siteName":%')
        and c.id > ${last} order by c.id limit ${BATCH}`.execute(db);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    const written = rows.map(toTextRow);
    await removeChunkText(place.trx, written);
    await writeText({ ...place, userId: end.user_id }, written);
  }
}
