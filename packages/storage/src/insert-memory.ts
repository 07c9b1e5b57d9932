import type { Memory, NewMemory, SavedMemory } from '@recollect/core';
import type { TextIndexTable } from './dialect.js';
import { memoryColumns, toMemory } from './row.js';
import type { Trx } from './tables.js';
import { replaceTags } from './tags.js';
import { writeTextRows } from './text-rows.js';

/** Rows in one insert statement: well under the number of parameters that a database takes. */
const ROWS = 1_000;

/** Stores a memory with its chunks and index rows, or marks the one that is there already as captured again. */
export async function insertMemory(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  draft: NewMemory,
): Promise<SavedMemory> {
  const known = await trx
    .selectFrom('memories')
    .select(memoryColumns)
    .where('user_id', '=', userId)
    .where('content_hash', '=', draft.contentHash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (known !== undefined) {
    const stored = toMemory(known);
    await captureAgain(trx, textIndex, userId, draft, stored);
    return { ...savedFields(stored), status: 'duplicate', chunkIds: [] };
  }
  const { memory, urlKey, site, contentHash, chunks } = draft;
  await trx
    .insertInto('memories')
    .values({
      user_id: userId,
      id: memory.id,
      title: memory.title,
      url: memory.url,
      url_key: urlKey,
      site,
      source_type: memory.sourceType,
      source_app: memory.sourceApp,
      capture_mode: memory.captureMode,
      tags: JSON.stringify(memory.tags),
      note: memory.note,
      metadata: JSON.stringify(memory.metadata),
      page: JSON.stringify(memory.page),
      content_hash: contentHash,
      captured_at: memory.capturedAt,
      last_captured_at: memory.lastCapturedAt,
      updated_at: memory.updatedAt,
      deleted_at: null,
    })
    .execute();
  await replaceTags(trx, userId, memory.id, memory.tags);
  const chunkIds = await insertChunks(trx, userId, memory.id, chunks);
  const rows = chunkIds.map((id, position) => ({ id, position, text: chunks[position] ?? '' }));
  await writeTextRows(trx, textIndex, userId, memory, rows);
  return { ...savedFields(memory), status: 'created', chunkIds };
}

async function insertChunks(trx: Trx, userId: string, memoryId: string, chunks: readonly string[]): Promise<number[]> {
  const inserted: { id: number; position: number }[] = [];
  for (let at = 0; at < chunks.length; at += ROWS) {
    const values = chunks
      .slice(at, at + ROWS)
      .map((text, index) => ({ user_id: userId, memory_id: memoryId, position: at + index, text }));
    inserted.push(...(await trx.insertInto('chunks').values(values).returning(['id', 'position']).execute()));
  }
  return inserted.sort((a, b) => a.position - b.position).map(({ id }) => id);
}

function savedFields({ id, title, url, sourceType, sourceApp, captureMode }: Memory) {
  return { id, title, url, sourceType, sourceApp, captureMode };
}

async function captureAgain(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  { memory }: NewMemory,
  known: Memory,
): Promise<void> {
  const tags = [...new Set([...known.tags, ...memory.tags])];
  const isNewNote = memory.note !== null && !known.note?.includes(memory.note);
  const note = isNewNote ? [known.note, memory.note].filter((text) => text !== null).join('\n\n') : known.note;
  const lastCapturedAt = [known.lastCapturedAt, memory.lastCapturedAt].sort().at(-1) ?? memory.lastCapturedAt;
  await trx
    .updateTable('memories')
    .set({ last_captured_at: lastCapturedAt, tags: JSON.stringify(tags), note, updated_at: memory.updatedAt })
    .where('user_id', '=', userId)
    .where('id', '=', known.id)
    .execute();
  if (tags.length === known.tags.length && note === known.note) return;
  await replaceTags(trx, userId, known.id, tags);
  const first = await trx
    .selectFrom('chunks')
    .select(['id', 'position', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', '=', known.id)
    .where('position', '=', 0)
    .execute();
  await textIndex.remove(
    trx,
    first.map(({ id }) => id),
  );
  await writeTextRows(trx, textIndex, userId, { title: known.title, tags, note }, first);
}
