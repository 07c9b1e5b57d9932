import type { Memory, PendingChunk } from '@recollect/core';
import { writeTextRows } from '../indexing/index-rows.js';
import type { UserTransaction } from '../user-transaction.js';

/** Rows in one insert statement: well under the number of parameters that a database accepts. */
const ROWS = 1_000;

/** The chunk that new ones follow. */
export interface LastChunk {
  position: number;
  text: string;
}

/** Appends chunks to a memory, with their full-text rows. Returns them in order, for embedding. */
export async function insertChunks(
  transaction: UserTransaction,
  memory: Memory,
  chunks: readonly string[],
  last: LastChunk | null,
): Promise<PendingChunk[]> {
  const { trx, userId } = transaction;
  const start = last === null ? 0 : last.position + 1;
  const inserted: { id: number; position: number }[] = [];
  for (let at = 0; at < chunks.length; at += ROWS) {
    const values = chunks
      .slice(at, at + ROWS)
      .map((text, index) => ({ user_id: userId, memory_id: memory.id, position: start + at + index, text }));
    inserted.push(...(await trx.insertInto('chunks').values(values).returning(['id', 'position']).execute()));
  }
  const rows = inserted
    .sort((a, b) => a.position - b.position)
    .map(({ id, position }, index) => ({ id, position, text: chunks[index] ?? '' }));
  await writeTextRows(transaction, memory, rows);
  return rows.map(({ id, text }, index) => ({
    chunkId: id,
    memoryId: memory.id,
    title: memory.title,
    previous: index === 0 ? (last?.text ?? null) : (chunks[index - 1] ?? null),
    text,
  }));
}
