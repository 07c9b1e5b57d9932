import { isObject, isTexts, readJson } from '@recollect/core';
import { sql } from 'kysely';
import { notesOf } from '../../indexing/index-rows.js';
import type { Trx } from '../../tables.js';
import { textIndexTable } from '../text-index-table.js';
import { missingText } from './derived-facts.js';

interface Row {
  id: number;
  user_id: string;
  position: number;
  text: string;
  title: string;
  tags: string;
  note: string | null;
  metadata: string;
}

/** Adds chunks that the full-text index lacks, of those after an id. Returns how many, and the id of the last. */
export async function writeMissingText(trx: Trx, limit: number, after = 0): Promise<{ written: number; last: number }> {
  const { rows } = await sql<Row>`
    select c.id, c.user_id, c.position, c.text, m.title, m.tags, m.note, m.metadata ${missingText} and c.id > ${after}
    order by c.id limit ${limit}`.execute(trx);
  if (rows.length === 0) return { written: 0, last: after };
  await textIndexTable.write(
    trx,
    rows.map(({ id, user_id, position, text, title, tags, note, metadata }) => ({
      userId: user_id,
      chunkId: id,
      title,
      body: text,
      notes: position === 0 ? notesOf(readJson(tags, isTexts, []), note, readJson(metadata, isObject, {})) : '',
    })),
  );
  return { written: rows.length, last: rows.at(-1)?.id ?? after };
}
