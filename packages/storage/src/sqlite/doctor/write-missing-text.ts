import { sql } from 'kysely';
import { type IndexedRow, toTextRow } from '../../indexing/stored-text-row.js';
import type { Trx } from '../../tables.js';
import { textIndexTable, writeCommentText } from '../text-index-table.js';
import { missingComments, missingText } from './derived-facts.js';

/** The columns of a chunk `c` and its memory `m` that its row in the full-text index is made from. */
export const indexedColumns = sql`c.id, c.user_id, c.position, c.text, m.title, m.tags, m.note, m.metadata, m.page, m.url`;

/** Adds chunks that the full-text index lacks, of those after an id. Returns how many, and the id of the last. */
export async function writeMissingText(trx: Trx, limit: number, after = 0): Promise<{ written: number; last: number }> {
  const { rows } = await sql<IndexedRow>`
    select ${indexedColumns} ${missingText} and c.id > ${after}
    order by c.id limit ${limit}`.execute(trx);
  if (rows.length === 0) return { written: 0, last: after };
  await textIndexTable.write(trx, rows.map(toTextRow));
  return { written: rows.length, last: rows.at(-1)?.id ?? after };
}

/** Adds comments that the full-text index lacks. Returns how many memories had them. */
export async function writeMissingComments(trx: Trx, limit: number): Promise<number> {
  const { rows } = await sql<IndexedRow>`
    select ${indexedColumns}, m.comments ${missingComments} limit ${limit}`.execute(trx);
  const readable = rows.map(toTextRow).filter(({ comments }) => comments !== '');
  await writeCommentText(trx, readable);
  return readable.length;
}
