import { hasProclitics } from '@recollect/contract/text';
import { type Kysely, sql } from 'kysely';
import { type IndexedRow, toTextRow } from '../../indexing/stored-text-row.js';
import type { Tables, Trx } from '../../tables.js';
import { indexedColumns } from '../doctor/write-missing-text.js';
import { removeChunkText, textIndexTable } from '../text-index-table.js';

/** Chunks that are read at a time. */
const BATCH = 1_000;

/**
 * Writes the texts with Arabic and Hebrew words to the text index again,
 * which now also has the words without proclitics.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  // The migrator runs every migration in a transaction.
  const trx = db as Trx;
  for (let last = 0; ; ) {
    const { rows } = await sql<IndexedRow>`select ${indexedColumns} from chunks c
      join memories m on m.user_id = c.user_id and m.id = c.memory_id and m.deleted_at is null
      where c.id > ${last} order by c.id limit ${BATCH}`.execute(trx);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    const changed = rows
      .map(toTextRow)
      .filter(({ title, body, notes }) => [title, body, notes].some((part) => hasProclitics(part)));
    if (changed.length === 0) continue;
    await removeChunkText(trx, changed);
    await textIndexTable.write(trx, changed);
  }
}
