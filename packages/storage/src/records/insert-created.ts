import { type NewRecord, nameKeyOf } from '@recollect/core';
import type { Insertable } from 'kysely';
import { blocksOf } from '../blocks.js';
import { checksumOf, hashOf } from '../memories/checksum.js';
import { insertChunks } from '../memories/insert-chunks.js';
import { keepPreviousHash } from '../memories/previous-hashes.js';
import { commentsColumn } from '../memories/row.js';
import { titleKey } from '../memories/sort.js';
import { tagRows } from '../memories/tags.js';
import { savePictures } from '../pictures/picture-store.js';
import type { Tables } from '../tables.js';
import { importIdOf, type UserTransaction } from '../user-transaction.js';

/** A record that becomes a new memory. */
export interface Created extends NewRecord {
  chunks: readonly string[];
}

/** Stores new memories with all that belongs to them. Memories in the trash have no rows in any index. */
export async function insertCreated(
  transaction: UserTransaction,
  created: readonly Created[],
  elapsed: number,
): Promise<void> {
  const { trx, userId } = transaction;
  const memories = created.map((draft) => memoryRow(transaction, draft, elapsed));
  for (const block of blocksOf(memories)) await trx.insertInto('memories').values(block).execute();
  const tags = created.filter(isLive).flatMap(({ record }) => tagRows(userId, record.id, record.tags));
  for (const block of blocksOf(tags)) await trx.insertInto('memory_tags').values(block).execute();
  await insertChunks(
    transaction,
    created.map((draft) => ({
      memory: { ...draft.record, comments: draft.record.comments ?? [] },
      chunks: draft.chunks,
      last: null,
      isTrashed: !isLive(draft),
    })),
  );
  for (const { record, site, pictures } of created)
    await savePictures(transaction, { memoryId: record.id, site }, pictures, { replaces: false });
  for (const draft of created) await insertHighlights(transaction, draft.record.id, draft);
  for (const draft of created) await insertHistory(transaction, draft, elapsed);
}

function isLive({ record }: NewRecord): boolean {
  return record.deletedAt === null;
}

function memoryRow(
  transaction: UserTransaction,
  { record, urlKey, site, contentHash, chunks }: Created,
  elapsed: number,
): Insertable<Tables['memories']> {
  const { turns, savedBy, deletedAt } = record;
  const row = {
    user_id: transaction.userId,
    id: record.id,
    title: record.title,
    title_key: titleKey(record.title),
    chunk_count: chunks.length,
    url: record.url,
    url_key: urlKey,
    site,
    source_type: record.sourceType,
    source_app: record.sourceApp,
    capture_mode: record.captureMode,
    tags: JSON.stringify(record.tags),
    note: record.note,
    metadata: JSON.stringify(record.metadata),
    name_key: nameKeyOf(record.metadata),
    page: JSON.stringify(record.page),
    content_hash: contentHash,
    turns: turns?.count ?? null,
    turn_starts: turns?.starts == null ? null : JSON.stringify(turns.starts),
    client: savedBy?.client ?? null,
    client_name: savedBy?.name ?? null,
    client_key: savedBy?.key ?? null,
    captured_at: record.capturedAt,
    last_captured_at: record.lastCapturedAt,
    updated_at: record.updatedAt,
    deleted_at: deletedAt,
    deleted_elapsed: deletedAt === null ? null : elapsed,
    comments: commentsColumn(record.comments),
    import_id: importIdOf(transaction),
  };
  const uncovered = {
    is_link: record.isLink === true ? 1 : 0,
    starred: record.starred === true ? 1 : 0,
    read_state: record.readState ?? 'unread',
    progress: record.progress ?? 0,
    opened_at: record.openedAt ?? null,
    place: record.place ?? 'archive',
  };
  return { ...row, ...uncovered, seal: checksumOf(row, chunks.join('')) };
}

/** Inserts the history of a memory, oldest entry first. Former texts are in a separate table. */
async function insertHistory(
  { trx, userId }: UserTransaction,
  { record: { id, history }, urlKey }: NewRecord,
  elapsed: number,
): Promise<void> {
  for (const { changeId, kind, by, at, fields, before } of history) {
    const { text, ...values } = before ?? {};
    const { position } = await trx
      .insertInto('memory_history')
      .values({
        user_id: userId,
        memory_id: id,
        change_id: changeId,
        kind,
        actor: by === null ? null : JSON.stringify(by),
        at,
        elapsed,
        fields: JSON.stringify(fields),
        former: before === null ? null : JSON.stringify(values),
      })
      .returning('position')
      .executeTakeFirstOrThrow();
    if (text === undefined) continue;
    await trx.insertInto('former_texts').values({ user_id: userId, position, text }).execute();
    if (kind === 'edited') await keepPreviousHash({ trx, userId }, id, hashOf(urlKey, text));
  }
}

/** Stores those highlights of a record that the user does not have. Returns how many. */
export async function insertHighlights(
  { trx, userId }: UserTransaction,
  memoryId: string,
  { record, folded }: NewRecord,
): Promise<number> {
  const rows = record.highlights.map(
    ({ id, quote, prefix, suffix, note, colour = 'yellow', reviewedAt, dismissed, ...times }, index) => ({
      user_id: userId,
      id,
      memory_id: memoryId,
      quote,
      prefix,
      suffix,
      note,
      colour,
      folded: folded[index] ?? '',
      created_at: times.createdAt,
      updated_at: times.updatedAt,
      reviewed_at: reviewedAt ?? null,
      dismissed: dismissed === true ? 1 : 0,
    }),
  );
  let added = 0;
  for (const block of blocksOf(rows)) {
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('highlights')
      .values(block)
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .executeTakeFirst();
    added += Number(numInsertedOrUpdatedRows);
  }
  return added;
}
