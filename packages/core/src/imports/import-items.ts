import type { Actor, Capture, ItemsReport } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { tagKey } from '@recollect/contract/text';
import type { CaptureVerb } from '../capture/capture.js';
import { RecollectError } from '../error.js';
import type { Memories } from '../memories/memories.js';
import type { ExportedItem, ExportPart } from '../ports/index.js';
import { fail, skip } from './items-report.js';

/** Items that are saved in one transaction, and the characters of their texts from which there are fewer. */
const BATCH = { items: 50, characters: 1_000_000 };
/** Milliseconds between two batches in which another process can write. */
const GAP = 30;
/** Names of files that are no known export, for the report. */
const NAMED = 10;

/** The verbs that an import uses, for whom, and where it counts. */
export interface ItemsImport {
  capture: CaptureVerb;
  memories: Pick<Memories, 'get' | 'history' | 'lookup' | 'update'>;
  userId: string;
  by: Actor | null;
  report: ItemsReport;
  signal?: AbortSignal | undefined;
  onProgress?: ((report: ItemsReport) => void) | undefined;
}

/**
 * Saves what was read of an export. An item that cannot be saved is reported, and the others are saved. Importing the same items again
 * adds nothing.
 */
export async function importItems(into: ItemsImport, parts: AsyncIterable<ExportPart>): Promise<void> {
  const { report, signal, onProgress } = into;
  let batch: ExportedItem[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await saveBatch(into, batch);
    batch = [];
    characters = 0;
    onProgress?.(report);
    await new Promise((resolve) => setTimeout(resolve, GAP));
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
      if (batch.length >= BATCH.items || characters > BATCH.characters) await flush();
    }
  } catch (error) {
    // What was read before is worth keeping, unless the store is at fault.
    if (!(error instanceof RecollectError) || error.code === 'EXPORT_UNREADABLE') await flush();
    throw error;
  }
  await flush();
}

function lengthOf({ pageText, selection, html, messages }: Capture): number {
  const said = (messages ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return said + [pageText, selection, html].reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

function note(report: ItemsReport, part: Exclude<ExportPart, ExportedItem>): void {
  if ('program' in part) {
    if (!report.programs.includes(part.program)) report.programs.push(part.program);
  } else if ('skipped' in part) {
    if (!part.isExpected) report.dropped += 1;
    skip(report, part.skipped, part.reason);
  } else if ('failed' in part) fail(report, part.failed, part.reason);
  else {
    if (part.isText) report.dropped += 1;
    report.otherFiles += 1;
    if (report.otherNames.length < NAMED) report.otherNames.push(part.other);
  }
}

async function saveBatch(into: ItemsImport, batch: readonly ExportedItem[]): Promise<void> {
  const items = await withoutKnown(into, batch);
  if (items.length === 0) return;
  try {
    await save(into, items);
  } catch (error) {
    if (!(error instanceof RecollectError) || !isOfItem(error)) throw error;
    const [item] = items;
    if (items.length === 1 && item !== undefined) fail(into.report, nameOf(item), error.message);
    // One of them is at fault.
    else for (const one of items) await saveBatch(into, [one]);
  }
}

/** Whether an error is one of what was to be saved, and not of the store. */
function isOfItem({ code }: RecollectError): boolean {
  return ['VALIDATION_FAILED', 'CAPTURE_EMPTY', 'EXTRACTION_FAILED'].includes(code);
}

async function save(into: ItemsImport, items: readonly ExportedItem[]): Promise<void> {
  const { capture: saveAll, userId, by, report } = into;
  const captures = items.map(({ capture }) => capture);
  const { answer, inTrash } = await saveAll(userId, captures, {
    triggersHooks: false,
    embedsLater: true,
    isImport: true,
    facts: items.map((item) => {
      const readState = readStateOf(item);
      return {
        ...(item.isLink ? { isLink: true } : {}),
        ...(item.isStarred ? { starred: true } : {}),
        ...(readState === null ? {} : { readState }),
      };
    }),
    by,
  });
  for (const at of inTrash) {
    const item = items[at];
    if (item !== undefined) skip(report, nameOf(item), 'It is in the trash. It stays there.');
  }
  const saved = items.filter((_, at) => !inTrash.includes(at));
  for (const [at, { id, status, merged = [] }] of answer.captures.entries()) {
    const item = saved[at];
    if (status === 'created') {
      report.created += 1;
      if (item?.isLink) report.links += 1;
      continue;
    }
    const isMarked = item !== undefined && (await unlessDeleted(markKnown(into, id, item), false));
    report[status === 'updated' || merged.length > 0 || isMarked ? 'updated' : 'duplicates'] += 1;
  }
}

/** What the other program says about reading; null if nothing was read. */
function readStateOf({ isRead, isReading }: ExportedItem): 'read' | 'reading' | null {
  if (isRead) return 'read';
  return isReading ? 'reading' : null;
}

/** Stars a memory that exists, or marks it as read, as the other program has it, unless that was ever changed here. Returns whether it did. */
async function markKnown({ memories, userId, by }: ItemsImport, id: string, item: ExportedItem): Promise<boolean> {
  const { isStarred = false } = item;
  const stated = readStateOf(item);
  if (!isStarred && stated === null) return false;
  const { starred, readState } = await memories.get(userId, id);
  const { history, oldest } = await memories.history(userId, id);
  const isOpen = (field: 'starred' | 'readState') =>
    oldest === 0 && !history.some(({ fields }) => fields.includes(field));
  const change = {
    ...(isStarred && !starred && isOpen('starred') ? { starred: true } : {}),
    ...(stated !== null && readState === 'unread' && isOpen('readState') ? { readState: stated } : {}),
  };
  if (Object.keys(change).length === 0) return false;
  await memories.update(userId, id, change, by);
  return true;
}

/** The other value if the memory was deleted since it was looked up, which does not end the import. */
async function unlessDeleted<Value>(change: Promise<Value>, otherwise: Value): Promise<Value> {
  return change.catch((error) => {
    if (error instanceof RecollectError && error.code === 'NOT_FOUND') return otherwise;
    throw error;
  });
}

/** Leaves out what is saved already: links to pages, which get their tags and star, and conversations that are longer here. */
async function withoutKnown(into: ItemsImport, batch: readonly ExportedItem[]): Promise<ExportedItem[]> {
  const urls = batch.flatMap(({ capture, isLink }) => (isLink || capture.messages != null ? (capture.url ?? []) : []));
  if (urls.length === 0) return [...batch];
  const { found } = await into.memories.lookup(into.userId, urls);
  const ids = new Map(found.map(({ url, id }) => [url, id]));
  const left: ExportedItem[] = [];
  for (const item of batch) {
    const id = ids.get(item.capture.url ?? '');
    const known = id === undefined ? null : await unlessDeleted(completeKnown(into, id, item), null);
    if (id === undefined || known === null) left.push(item);
    else {
      const isMarked = await unlessDeleted(markKnown(into, id, item), false);
      into.report[known.isChanged || isMarked ? 'updated' : 'duplicates'] += 1;
    }
  }
  return left;
}

/** Gives a page the tags of a link to it, and says whether any were new. Null if the memory lacks more of the item than tags. */
async function completeKnown(
  { memories, userId, by, report }: ItemsImport,
  id: string,
  { capture, isLink }: ExportedItem,
): Promise<{ isChanged: boolean } | null> {
  const { messages } = capture;
  if (messages != null) {
    const { turns } = await memories.get(userId, id);
    const isBegun = (turns ?? []).length >= messages.length;
    const isKnown = messages.every(({ role, text }, at) => turns?.[at]?.role === role && turns[at]?.text === text);
    return isBegun && isKnown ? { isChanged: false } : null;
  }
  if (!isLink || saysMore(capture)) return null;
  if (!capture.tags?.length) return { isChanged: false };
  const { tags } = await memories.get(userId, id);
  const has = new Set(tags.map(tagKey));
  const missing = (capture.tags ?? []).filter((tag) => !has.has(tagKey(tag)));
  const added = missing.slice(0, Math.max(0, limits.capture.tags - tags.length));
  if (added.length < missing.length)
    skip(report, nameOf({ capture }), `The page has ${tags.length} tags, so not all were added.`);
  if (added.length > 0) await memories.update(userId, id, { addTags: added }, by);
  return { isChanged: added.length > 0 };
}

/** Whether a link has a note or a description. */
function saysMore({ note, pageText, title }: Capture): boolean {
  return note != null || (pageText ?? '') !== (title ?? '');
}

function nameOf({ capture }: ExportedItem): string {
  return capture.title || capture.url || (capture.pageText ?? capture.selection ?? '').slice(0, 80);
}
