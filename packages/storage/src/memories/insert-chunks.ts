import type { Memory, PendingChunk } from '@recollect/core';
import { blocksOf } from '../blocks.js';
import { type Indexed, textRowOf, writeText } from '../indexing/index-rows.js';
import type { UserTransaction } from '../user-transaction.js';
import { insertNoteLinks } from './note-links.js';

/** The chunk that new ones follow. */
export interface LastChunk {
  position: number;
  text: string;
}

/** Chunks that a memory gets. */
export interface Addition {
  memory: Indexed & Pick<Memory, 'id'>;
  chunks: readonly string[];
  /** Null for a new memory. */
  last: LastChunk | null;
  /** Whether it is in the trash, and therefore in no index. */
  isTrashed?: boolean;
}

/**
 * Appends chunks to memories, with their full-text rows. Returns the chunks of each memory in order, for embedding.
 * Writes the chunks of all memories together, because each statement waits for the thread of the connection.
 */
export async function insertChunks(
  transaction: UserTransaction,
  additions: readonly Addition[],
): Promise<PendingChunk[][]> {
  const { trx, userId, changed } = transaction;
  const values = additions.flatMap(({ memory, chunks, last }) =>
    chunks.map((text, index) => ({
      user_id: userId,
      memory_id: memory.id,
      position: (last === null ? 0 : last.position + 1) + index,
      text,
    })),
  );
  const ids = new Map<string, number>();
  for (const block of blocksOf(values)) {
    const inserted = await trx.insertInto('chunks').values(block).returning(['id', 'memory_id', 'position']).execute();
    for (const { id, memory_id, position } of inserted) ids.set(`${memory_id} ${position}`, id);
  }
  const added = additions.map(({ memory, chunks, last }) =>
    chunks.map((text, index) => {
      const position = (last === null ? 0 : last.position + 1) + index;
      const id = ids.get(`${memory.id} ${position}`) ?? 0;
      const previous = index === 0 ? (last?.text ?? null) : (chunks[index - 1] ?? null);
      return { memory, id, position, text, previous };
    }),
  );
  const live = new Set(additions.filter(({ isTrashed }) => isTrashed !== true).map(({ memory }) => memory));
  const rows = added
    .flat()
    .flatMap((chunk) => (live.has(chunk.memory) ? [textRowOf(userId, chunk.memory, chunk)] : []));
  await insertNoteLinks(
    trx,
    added.flat().map(({ memory, id, text }) => ({ userId, memoryId: memory.id, id, text, url: memory.url })),
  );
  await writeText(transaction, rows);
  for (const { id } of live) changed.add(id);
  return added.map((chunks) =>
    chunks.map(({ memory, id, text, previous }) => ({
      chunkId: id,
      memoryId: memory.id,
      title: memory.title,
      previous,
      text,
    })),
  );
}
