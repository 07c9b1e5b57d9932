import { type Memory, mergeNotes, mergeTags, type NewMemory } from '@recollect/core';
import type { TextIndexTable } from '../dialect.js';
import type { Trx } from '../tables.js';
import { replaceTags } from './tags.js';
import { writeTextRows } from '../indexing/text-rows.js';

/**
 * Marks a stored memory as captured again, and adds the new capture's tags and note to its own. Throws VALIDATION_FAILED when
 * they are too many or too long together.
 */
export async function captureAgain(
  trx: Trx,
  textIndex: TextIndexTable,
  userId: string,
  { memory }: Pick<NewMemory, 'memory'>,
  known: Memory,
): Promise<void> {
  const tags = mergeTags(known.tags, memory.tags);
  const note = mergeNotes(known.note, memory.note);
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
