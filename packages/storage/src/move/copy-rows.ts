import type { StorageDialect } from '../dialect.js';
import { writeText } from '../indexing/index-rows.js';
import { toTextRow } from '../indexing/stored-text-row.js';
import { insertNoteLinks } from '../memories/note-links.js';
import type { MemoryRow } from '../memories/row.js';
import type { Tables, Trx } from '../tables.js';
import type { Row, SourceStore } from './moving.js';

export interface CopyContext {
  source: SourceStore;
  from: StorageDialect;
  to: StorageDialect;
}

/** Writes rows of a table, and the rows that are derived from them. */
export async function copyRows(
  context: CopyContext,
  trx: Trx,
  name: keyof Tables,
  rows: readonly Row[],
): Promise<void> {
  const { moving } = context.to;
  // Each new store has a local user.
  if (name === 'users') await trx.deleteFrom('users').execute();
  if (name === 'embeddings') return copyVectors(context, trx, rows);
  await moving.insert(trx, name, name === 'leases' ? rows.map(endLease) : rows);
  if (name === 'chunks') await writeIndexRows(context, trx, rows as unknown as ChunkRow[]);
  if (name === 'embedded_memories') await keepLastModel(context, trx, rows as unknown as EmbeddedRow[]);
}

/** No process has a lease of a store that is being moved, and databases time leases by different clocks. */
export function endLease(row: Row): Row {
  return { ...row, started: 0, ends: 0 };
}

async function copyVectors({ from, to }: CopyContext, trx: Trx, rows: readonly Row[]): Promise<void> {
  await to.vectorIndexTable.write(
    trx,
    rows.map(({ user_id, model_id, chunk_id, vector }) => ({
      userId: String(user_id),
      modelId: Number(model_id),
      chunkId: Number(chunk_id),
      vector: from.moving.toVector(vector),
    })),
  );
}

type ChunkRow = Tables['chunks'] & { id: number };

/** Writes the links of chunks, and the full text of those that are not in the trash. */
async function writeIndexRows({ source, from, to }: CopyContext, trx: Trx, chunks: readonly ChunkRow[]): Promise<void> {
  // FTS5 writes its pending rows whenever an id is lower than the last.
  const ordered = chunks.toSorted((first, second) => first.id - second.id);
  for (const [userId, ofUser] of Map.groupBy(ordered, ({ user_id }) => user_id)) {
    const ids = [...new Set(ofUser.map(({ memory_id }) => memory_id))];
    const memories: MemoryRow[] = await source.db
      .selectFrom('memories')
      .selectAll()
      .where('user_id', '=', userId)
      .where(from.sql.isIn('id', ids))
      .execute();
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    const links = ofUser.map(({ memory_id, id, text }) => {
      return { userId, memoryId: memory_id, id, text, url: byId.get(memory_id)?.url ?? null };
    });
    await insertNoteLinks(trx, links);
    const rows = ofUser.flatMap(({ id, position, text, memory_id }) => {
      const memory = byId.get(memory_id);
      return memory === undefined || memory.deleted_at !== null ? [] : [toTextRow({ ...memory, id, position, text })];
    });
    await writeText({ trx, userId, indexes: { text: to.textIndexTable } }, rows);
  }
}

type EmbeddedRow = Tables['embedded_memories'];

/** Restores which model has embedded a memory last, where the order of the rows says another one. */
async function keepLastModel({ source, from }: CopyContext, trx: Trx, rows: readonly EmbeddedRow[]): Promise<void> {
  for (const [userId, ofUser] of Map.groupBy(rows, ({ user_id }) => user_id)) {
    const marks = new Map(ofUser.map((row) => [row.memory_id, 2 * row.model_id + row.has_passages]));
    // The copy of a memory with several models may have marked an earlier model.
    const isMarkedOnce = marks.size === ofUser.length;
    const memories = await source.db
      .selectFrom('memories')
      .select(['id', 'embedded_by'])
      .where('user_id', '=', userId)
      .where(from.sql.isIn('id', [...marks.keys()]))
      .execute();
    for (const { id, embedded_by } of memories)
      if (!isMarkedOnce || embedded_by !== marks.get(id))
        await trx
          .updateTable('memories')
          .set({ embedded_by })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .execute();
  }
}
