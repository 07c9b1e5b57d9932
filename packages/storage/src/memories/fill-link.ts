import {
  type Memory,
  mergeMetadata,
  mergeNotes,
  mergeTags,
  type NewMemory,
  nameKeyOf,
  type PendingChunk,
} from '@recollect/core';
import { removeEmbeddings, removeTextRows } from '../indexing/index-rows.js';
import type { UserTransaction } from '../user-transaction.js';
import { activeMemories, chunksOf } from './active-memories.js';
import { forgetDamage, invalidateChecksum } from './checksums.js';
import { recordHistory } from './history-store.js';
import { insertChunks } from './insert-chunks.js';
import { commentedColumns, commentsColumn } from './row.js';
import { titleKey } from './sort.js';
import { replaceTags } from './tags.js';

type CapturedPage = Pick<NewMemory, 'memory' | 'urlKey' | 'conversation'>;

/** Whether a draft is the page at an address, of which there may be a link. */
function isPage({ memory, urlKey, conversation }: CapturedPage): boolean {
  return urlKey !== null && conversation === null && memory.captureMode === 'page' && !memory.isLink;
}

/** The drafts that are pages to which there are links. */
export async function findLinked<Draft extends CapturedPage>(
  { trx, userId, isIn }: UserTransaction,
  drafts: readonly Draft[],
): Promise<ReadonlySet<Draft>> {
  const pages = drafts.filter(isPage);
  if (pages.length === 0) return new Set();
  const rows = await activeMemories(trx, userId)
    .select('url_key')
    .where(
      isIn(
        'url_key',
        pages.flatMap(({ urlKey }) => urlKey ?? []),
      ),
    )
    .where('is_link', '=', 1)
    .execute();
  const keys = new Set(rows.map((row) => row.url_key));
  return new Set(pages.filter(({ urlKey }) => keys.has(urlKey)));
}

/**
 * The links to a page that is being saved, as rows with their content hashes.
 * Null if the draft is not a page with an address.
 */
export function linksTo({ trx, userId }: UserTransaction, draft: CapturedPage) {
  if (!isPage(draft)) return null;
  return activeMemories(trx, userId)
    .select(commentedColumns(userId))
    .select('content_hash')
    .where('url_key', '=', draft.urlKey)
    .where('is_link', '=', 1);
}

/**
 * The link that a page takes the place of: an imported bookmark. Null if there is none, or if its text has more than a
 * title. A description or a marked passage must not get lost, and the history keeps replaced texts only for a time.
 */
export async function chooseLink(
  { trx, userId }: UserTransaction,
  links: readonly Memory[],
  { memory }: CapturedPage,
): Promise<Memory | null> {
  for (const link of links) {
    // In some apps the fragment names the page, and the key of an address has none.
    if (link.url?.includes('#') && link.url !== memory.url) continue;
    const chunks = await chunksOf(trx, userId, link.id);
    if (isBare(link, chunks.map(({ text }) => text).join(''))) return link;
  }
  return null;
}

/** Whether the text of a link is only its title and its address. */
function isBare({ title, url }: Memory, text: string): boolean {
  return text.split('\n\n').every((part) => part === title || part === url);
}

/**
 * Turns a link into the page that it leads to (IMP-3). It keeps its id, star, read state and title, and gets the text
 * and the time of the capture; tags and notes are merged. The history gets the former values, and
 * `metadata.bookmarkedAt` the former time. Throws VALIDATION_FAILED if the merged tags are too many or the merged note
 * is too long.
 */
export async function fillLink(
  transaction: UserTransaction,
  link: Memory,
  draft: NewMemory,
): Promise<{ memory: Memory; merged: ('tags' | 'note')[]; added: readonly PendingChunk[] }> {
  const { trx, userId, changeMark } = transaction;
  // Earlier versions marked links in their metadata.
  const { content: _, ...kept } = link.metadata;
  const isAsOld = draft.memory.capturedAt === link.capturedAt;
  const memory: Memory = {
    ...draft.memory,
    id: link.id,
    // A bookmark without a name has its address.
    title: link.title === link.url ? draft.memory.title : link.title,
    tags: mergeTags(link.tags, draft.memory.tags),
    note: mergeNotes(link.note, draft.memory.note),
    metadata: mergeMetadata(isAsOld ? kept : { ...kept, bookmarkedAt: link.capturedAt }, draft.memory.metadata),
  };
  const present = await chunksOf(trx, userId, link.id);
  const previous = {
    ...(memory.tags.length === link.tags.length ? {} : { tags: link.tags }),
    ...(memory.note === link.note ? {} : { note: link.note }),
  };
  const isRenamed = memory.title !== link.title;
  await invalidateChecksum(transaction, link.id);
  if (changeMark !== null) {
    const replaced = { ...(isRenamed ? { title: link.title } : {}), text: present.map(({ text }) => text).join('') };
    await recordHistory(transaction, changeMark, link.id, 'captured', { ...previous, ...replaced });
  }
  await removeTextRows(transaction, link.id, present);
  await removeEmbeddings(transaction, link.id);
  await trx.deleteFrom('chunks').where('user_id', '=', userId).where('memory_id', '=', link.id).execute();
  await trx
    .updateTable('memories')
    .set({
      title: memory.title,
      title_key: titleKey(memory.title),
      url: memory.url,
      source_type: memory.sourceType,
      source_app: memory.sourceApp,
      tags: JSON.stringify(memory.tags),
      note: memory.note,
      metadata: JSON.stringify(memory.metadata),
      name_key: nameKeyOf(memory.metadata),
      is_link: 0,
      page: JSON.stringify(memory.page),
      comments: commentsColumn(draft.comments),
      content_hash: draft.contentHash,
      captured_at: memory.capturedAt,
      last_captured_at: memory.lastCapturedAt,
      updated_at: memory.updatedAt,
    })
    .where('user_id', '=', userId)
    .where('id', '=', link.id)
    .execute();
  if (previous.tags !== undefined) await replaceTags(transaction, link.id, memory.tags);
  const indexed = { ...memory, comments: draft.comments ?? [] };
  const [added = []] = await insertChunks(transaction, [{ memory: indexed, chunks: draft.chunks, last: null }]);
  await forgetDamage(transaction, link.id);
  return { memory, merged: Object.keys(previous) as ('tags' | 'note')[], added };
}
