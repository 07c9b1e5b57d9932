import {
  type Memory,
  mergeComments,
  mergeNotes,
  mergeTags,
  type NewRecord,
  type PreviousValues,
  RecollectError,
  type RecordOutcome,
} from '@recollect/core';
import { type Indexed, replaceTextRows } from '../indexing/index-rows.js';
import { changeReading } from '../memories/change-memory.js';
import { invalidateChecksum } from '../memories/checksums.js';
import { recordHistory } from '../memories/history-store.js';
import { commentedColumns, commentsColumn, commentsOf, toMemory } from '../memories/row.js';
import { replaceTags } from '../memories/tags.js';
import { savePictures } from '../pictures/picture-store.js';
import type { UserTransaction } from '../user-transaction.js';
import { insertHighlights } from './insert-created.js';

/**
 * Adds the missing parts of a record to a memory with the same text: highlights, pictures, comments, and a later time
 * of capture.
 * One with another id is a capture of the same page elsewhere, so its tags and note are merged as CAP-7 says. With the
 * same id they are not: the user may have removed them since the export.
 */
export async function addMissing(transaction: UserTransaction, id: string, draft: NewRecord): Promise<RecordOutcome> {
  const { trx, userId, now, changed } = transaction;
  const { record } = draft;
  const row = await trx
    .selectFrom('memories')
    .select(commentedColumns(userId))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const present = toMemory(row);
  const highlights = record.highlights.length === 0 ? 0 : await insertHighlights(transaction, id, draft);
  if (highlights > 0) changed.add(id);
  const reading = await mergeReading(transaction, present, record);
  const owner = { memoryId: id, site: draft.site };
  const hasPictures = await savePictures(transaction, owner, draft.pictures, { replaces: false });
  const isLater = record.lastCapturedAt > present.lastCapturedAt;
  const { tags, note } = id === record.id ? present : merge(present, record);
  const merged = {
    ...(tags.length === present.tags.length ? {} : { tags: present.tags }),
    ...(note === present.note ? {} : { note: present.note }),
  };
  const comments = commentsOf(row);
  const allComments = mergeComments(comments, record.comments ?? []);
  const isCommented = allComments !== comments;
  const isMerged = Object.keys(merged).length > 0;
  const previous = { ...reading, ...merged };
  // Otherwise the undo of an earlier change would take it away again.
  if (transaction.changeMark !== null && Object.keys(previous).length > 0)
    await recordHistory(transaction, transaction.changeMark, id, 'captured', previous);
  if (isLater || isMerged || isCommented) {
    await invalidateChecksum(transaction, id);
    await trx
      .updateTable('memories')
      .set({
        last_captured_at: isLater ? record.lastCapturedAt : present.lastCapturedAt,
        tags: JSON.stringify(tags),
        note,
        comments: commentsColumn(allComments),
        updated_at: isMerged || isCommented ? now : present.updatedAt,
      })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .execute();
  }
  if (isMerged || isCommented) await reindexNotes(transaction, { ...present, tags, note, comments: allComments });
  return highlights > 0 || hasPictures || isLater || isMerged || isCommented || reading !== null
    ? 'updated'
    : 'duplicate';
}

/**
 * Takes over the read state if the record was opened later, and the star of a capture of the same page elsewhere.
 * Returns the values that the history keeps, and null if nothing changed.
 */
async function mergeReading(
  transaction: UserTransaction,
  present: Memory,
  { id, starred = false, readState, progress, openedAt }: NewRecord['record'],
): Promise<PreviousValues | null> {
  const isLater = openedAt != null && openedAt > (present.openedAt ?? '');
  const isStarred = starred && id !== present.id && !present.starred;
  if (!isLater && !isStarred) return null;
  const reading = isLater ? { readState, progress, openedAt } : {};
  return changeReading(transaction, present, isStarred ? { ...reading, starred } : reading);
}

/** Tags and note of both. If that is more than a memory may have, does not change them. */
function merge(present: Memory, record: NewRecord['record']): Pick<Memory, 'tags' | 'note'> {
  try {
    return { tags: mergeTags(present.tags, record.tags), note: mergeNotes(present.note, record.note) };
  } catch (error) {
    if (error instanceof RecollectError) return present;
    throw error;
  }
}

async function reindexNotes(
  transaction: UserTransaction,
  memory: Indexed & Pick<Memory, 'id' | 'tags'>,
): Promise<void> {
  const { trx, userId } = transaction;
  await replaceTags(transaction, memory.id, memory.tags);
  const first = await trx
    .selectFrom('chunks')
    .select(['id', 'position', 'text'])
    .where('user_id', '=', userId)
    .where('memory_id', '=', memory.id)
    .where('position', '=', 0)
    .execute();
  await replaceTextRows(transaction, memory, first);
}
