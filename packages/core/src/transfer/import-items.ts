import type { Capture } from '@recollect/contract';
import { RecollectError } from '../error.js';
import type { ExportedItem, ExportPart } from '../ports/index.js';
import { completeKnown, markKnown, readStateOf, saysMore, unlessDeleted } from './complete-known.js';
import { mergeLinks } from './merge-links.js';
import { fail, type ItemsImport, itemName, note, type RunningImport, skip } from './report.js';

/**
 * Items that are saved in one transaction, and the characters of their texts from which there are fewer. A capture
 * waits for the transaction before it, so batches are small while there are captures.
 */
const BATCH = { items: 50, characters: 200_000 };
const SMALL_BATCH = { items: 10, characters: 30_000 };
/**
 * Milliseconds between two batches in which another process can write. SQLite has no queue for its lock: a process that
 * waits tries again after 1 to 100 ms, so it gets a lock that is free for a third of the time after a few tries.
 */
const PAUSE_MS = 10;

/**
 * Saves the items of an export. An item that cannot be saved is reported, and the others are saved. Importing the same
 * items again adds nothing.
 */
export async function importItems(options: ItemsImport, parts: AsyncIterable<ExportPart>): Promise<void> {
  const into: RunningImport = { ...options, created: new Set() };
  const { report, signal, onProgress } = into;
  let batch: ExportedItem[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const items = mergeLinks(batch);
    report.duplicates += batch.length - items.length;
    await saveBatch(into, items);
    batch = [];
    characters = 0;
    onProgress?.(report);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    signal?.throwIfAborted();
  };
  try {
    for await (const part of parts) {
      if (!('capture' in part)) {
        note(report, part);
        continue;
      }
      report.found += 1;
      batch.push(part);
      characters += lengthOf(part.capture);
      const most = into.isBusy?.() ? SMALL_BATCH : BATCH;
      if (batch.length >= most.items || characters > most.characters) await flush();
    }
  } catch (error) {
    // Keep the items that were read before, unless the store is at fault.
    if (!(error instanceof RecollectError) || error.code === 'EXPORT_UNREADABLE') await flush();
    throw error;
  }
  await flush();
}

function lengthOf({ pageText, selection, html, pdf, messages }: Capture): number {
  const said = (messages ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return said + [pageText, selection, html, pdf].reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

async function saveBatch(into: RunningImport, batch: readonly ExportedItem[]): Promise<void> {
  const items = await withoutKnown(into, batch);
  if (items.length === 0) return;
  try {
    await save(into, items);
  } catch (error) {
    if (!(error instanceof RecollectError) || !isOfItem(error)) throw error;
    const [item] = items;
    if (items.length === 1 && item !== undefined) fail(into.report, itemName(item), error.message);
    // One of them is at fault.
    else for (const item of items) await saveBatch(into, [item]);
  }
}

/** Whether an error is the item's fault, and not the store's. */
function isOfItem({ code }: RecollectError): boolean {
  return ['VALIDATION_FAILED', 'CAPTURE_EMPTY', 'EXTRACTION_FAILED'].includes(code);
}

async function save(into: RunningImport, items: readonly ExportedItem[]): Promise<void> {
  const { capture: saveAll, userId, actor, report, importId } = into;
  const captures = items.map(({ capture }) => capture);
  const { answer, inTrash } = await saveAll(userId, captures, {
    triggersHooks: false,
    embedsLater: true,
    importId,
    facts: items.map((item) => {
      const readState = readStateOf(item);
      return {
        ...(item.isLink ? { isLink: true } : {}),
        ...(item.isStarred ? { starred: true } : {}),
        ...(readState === null ? {} : { readState }),
        place: item.capture.place ?? item.place ?? 'archive',
        ...(item.changedAt === undefined ? {} : { changedAt: item.changedAt }),
      };
    }),
    actor,
  });
  for (const at of inTrash) {
    const item = items[at];
    if (item !== undefined) skip(report, itemName(item), 'It is in the trash. It stays there.');
  }
  const saved = items.filter((_, at) => !inTrash.includes(at));
  const storedCaptures = answer.captures.filter(({ status }, at) => status !== 'created' && saysMoreAt(saved, at));
  const stored = await into.memories.present(
    userId,
    storedCaptures.map(({ id }) => id),
  );
  for (const [at, { id, status, merged = [] }] of answer.captures.entries()) {
    const item = saved[at];
    if (status === 'created') {
      report.created += 1;
      into.created.add(id);
      if (item?.isLink) report.links += 1;
      continue;
    }
    const memory = stored.get(id);
    const isMarked =
      item !== undefined && memory !== undefined && (await unlessDeleted(markKnown(into, memory, item), false));
    report[status === 'updated' || merged.length > 0 || isMarked ? 'updated' : 'duplicates'] += 1;
  }
}

function saysMoreAt(items: readonly ExportedItem[], at: number): boolean {
  const item = items[at];
  return item !== undefined && saysMore(item);
}

/**
 * Leaves out items that are already saved:
 * links to pages, which get their tags and star, and conversations that are longer here.
 */
async function withoutKnown(into: RunningImport, batch: readonly ExportedItem[]): Promise<ExportedItem[]> {
  const urls = batch.flatMap(({ capture, isLink }) => (isLink || capture.messages != null ? (capture.url ?? []) : []));
  if (urls.length === 0) return [...batch];
  const { found: savedPages } = await into.memories.lookup(into.userId, urls);
  const stored = await into.memories.present(
    into.userId,
    savedPages.map(({ id }) => id),
  );
  const byUrl = new Map(savedPages.map(({ url, id }) => [url, stored.get(id)]));
  const left: ExportedItem[] = [];
  for (const item of batch) {
    const memory = byUrl.get(item.capture.url ?? '');
    const completed = memory === undefined ? null : await unlessDeleted(completeKnown(into, memory, item), null);
    if (memory === undefined || completed === null) left.push(item);
    else {
      const isMarked = await unlessDeleted(markKnown(into, memory, item), false);
      into.report[completed.isChanged || isMarked ? 'updated' : 'duplicates'] += 1;
    }
  }
  return left;
}
