import type { TextIndexTable } from '../dialect.js';
import type { Trx } from '../tables.js';

/** Writes the full-text rows of chunks: each with the memory's title, the first with its tags and note. */
export async function writeTextRows(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  memory: { title: string; tags: readonly string[]; note: string | null },
  chunks: readonly { id: number; position: number; text: string }[],
): Promise<void> {
  const notes = [...memory.tags, memory.note ?? ''].join('\n').trim();
  const rows = chunks.map(({ id, position, text }) => ({
    chunkId: id,
    title: memory.title,
    body: text,
    notes: position === 0 ? notes : '',
  }));
  await textIndex.write(trx, userId, rows);
}
