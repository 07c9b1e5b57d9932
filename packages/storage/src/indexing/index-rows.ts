import type { UserTransaction } from '../user-transaction.js';

interface Indexed {
  id: string;
  title: string;
  tags: readonly string[];
  note: string | null;
}

/** Writes the full-text rows of chunks: each with the memory's title, the first one with its tags and note. */
export async function writeTextRows(
  { trx, userId, indexes, changed }: UserTransaction,
  memory: Indexed,
  chunks: readonly { id: number; position: number; text: string }[],
): Promise<void> {
  const notes = [...memory.tags, memory.note ?? ''].join('\n').trim();
  const rows = chunks.map(({ id, position, text }) => ({
    userId,
    chunkId: id,
    title: memory.title,
    body: text,
    notes: position === 0 ? notes : '',
  }));
  changed.add(memory.id);
  await indexes.text.write(trx, rows);
}

/** Replaces the full-text rows of chunks, after a change of title, tags or note. */
export async function replaceTextRows(
  transaction: UserTransaction,
  memory: Indexed,
  chunks: readonly { id: number; position: number; text: string }[],
): Promise<void> {
  await removeTextRows(transaction, memory.id, chunks);
  await writeTextRows(transaction, memory, chunks);
}

/** Removes the full-text rows of chunks. */
export async function removeTextRows(
  { trx, userId, indexes, changed }: UserTransaction,
  memoryId: string,
  chunks: readonly { id: number }[],
): Promise<void> {
  changed.add(memoryId);
  await indexes.text.remove(
    trx,
    chunks.map(({ id }) => ({ userId, chunkId: id })),
  );
}

/** Removes a memory's embeddings of all models. */
export async function removeEmbeddings(
  { trx, userId, indexes, changed }: UserTransaction,
  memoryId: string,
): Promise<void> {
  await trx.deleteFrom('embedded_memories').where('user_id', '=', userId).where('memory_id', '=', memoryId).execute();
  const keys = await trx
    .selectFrom('embeddings')
    .innerJoin('chunks', 'chunks.id', 'embeddings.chunk_id')
    .select(['embeddings.user_id as userId', 'embeddings.model_id as modelId', 'embeddings.chunk_id as chunkId'])
    .where('chunks.user_id', '=', userId)
    .where('chunks.memory_id', '=', memoryId)
    .execute();
  changed.add(memoryId);
  await indexes.vectors.remove(trx, keys);
}
