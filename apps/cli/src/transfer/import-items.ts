import { setTimeout as sleep } from 'node:timers/promises';
import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { tagKey } from '@recollect/contract/text';
import { type Core, LOCAL_USER, RecollectError } from '@recollect/core';
import type { ImportedItem, Item } from '@recollect/importers';
import { COMMAND_LINE } from '../command-line-actor.js';

/** What was read and not imported, and why. */
interface Reported {
  item: string;
  reason: string;
}

/** What an import of another program's export did. */
export interface ItemsReport {
  /** Whose exports they were. */
  programs: string[];
  found: number;
  created: number;
  /** Conversations that had become longer. */
  updated: number;
  duplicates: number;
  skipped: Reported[];
  failed: Reported[];
  /** Files of an archive that are no known export. */
  otherFiles: number;
  /** The names of the first of them. */
  otherNames: string[];
}

/** Items that are saved in one transaction, and the characters of their texts from which there are fewer. */
const BATCH = { items: 50, characters: 1_000_000 };
/** Milliseconds between two batches in which another process can write. */
const GAP = 30;

interface ImportOptions {
  signal: AbortSignal;
  onProgress(report: ItemsReport): void;
}

/**
 * Saves what importers have read. An item that cannot be saved is reported, and the others are saved. Importing the same items again
 * adds nothing.
 */
export async function importItems(
  core: Core,
  items: AsyncIterable<Item>,
  report: ItemsReport,
  { signal, onProgress }: ImportOptions,
): Promise<void> {
  let batch: ImportedItem[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    await saveBatch(core, batch, report);
    batch = [];
    characters = 0;
    onProgress(report);
    await sleep(GAP);
    signal.throwIfAborted();
  };
  try {
    for await (const item of items) {
      if ('skipped' in item) {
        report.skipped.push({ item: item.skipped, reason: item.reason });
        continue;
      }
      report.found += 1;
      batch.push(item);
      characters += lengthOf(item.capture);
      if (batch.length >= BATCH.items || characters > BATCH.characters) await flush();
    }
  } catch (error) {
    // What was read before is worth keeping, unless the store is at fault.
    if (!(error instanceof RecollectError)) await flush();
    throw error;
  }
  await flush();
}

function lengthOf({ pageText, selection, html, messages }: Capture): number {
  const said = (messages ?? []).reduce((sum, { text }) => sum + text.length, 0);
  return said + [pageText, selection, html].reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

async function saveBatch(core: Core, batch: readonly ImportedItem[], report: ItemsReport): Promise<void> {
  const items = await withoutKnown(core, batch, report);
  if (items.length === 0) return;
  try {
    await save(core, items, report);
  } catch (error) {
    if (!(error instanceof RecollectError) || !isOfItem(error)) throw error;
    const [item] = items;
    if (items.length === 1 && item !== undefined) report.failed.push({ item: nameOf(item), reason: error.message });
    // One of them is at fault.
    else for (const one of items) await saveBatch(core, [one], report);
  }
}

/** Whether an error is one of what was to be saved, and not of the store. */
function isOfItem({ code }: RecollectError): boolean {
  return ['VALIDATION_FAILED', 'CAPTURE_EMPTY', 'EXTRACTION_FAILED'].includes(code);
}

async function save(core: Core, items: readonly ImportedItem[], report: ItemsReport): Promise<void> {
  const captures = items.map(({ capture }) => capture);
  const { answer, inTrash } = await core.capture(LOCAL_USER, captures, {
    triggersHooks: false,
    embedsLater: true,
    leavesTrash: true,
    readings: items.map(({ isStarred, isRead }) => ({
      ...(isStarred ? { starred: true } : {}),
      ...(isRead ? { readState: 'read' as const } : {}),
    })),
    by: COMMAND_LINE,
  });
  for (const at of inTrash) {
    const item = items[at];
    if (item !== undefined) report.skipped.push({ item: nameOf(item), reason: 'It is in the trash. It stays there.' });
  }
  const saved = items.filter((_, at) => !inTrash.includes(at));
  for (const [at, { id, status }] of answer.captures.entries()) {
    report[status === 'created' ? 'created' : status === 'updated' ? 'updated' : 'duplicates'] += 1;
    const item = saved[at];
    if (status !== 'created' && item !== undefined) await markKnown(core, id, item);
  }
}

/** Stars a memory that exists, or marks it as read, as the other program has it, unless that was ever changed here. */
async function markKnown(core: Core, id: string, { isStarred = false, isRead = false }: ImportedItem): Promise<void> {
  if (!isStarred && !isRead) return;
  const { starred, readState } = await core.memories.get(LOCAL_USER, id);
  const { history, oldest } = await core.memories.history(LOCAL_USER, id);
  const isOpen = (field: 'starred' | 'readState') =>
    oldest === 0 && !history.some(({ fields }) => fields.includes(field));
  const change = {
    ...(isStarred && !starred && isOpen('starred') ? { starred: true } : {}),
    ...(isRead && readState === 'unread' && isOpen('readState') ? { readState: 'read' as const } : {}),
  };
  if (Object.keys(change).length > 0) await core.memories.update(LOCAL_USER, id, change);
}

/** Leaves out what is saved already: links to pages, which get their tags and star, and conversations that are longer here. */
async function withoutKnown(core: Core, batch: readonly ImportedItem[], report: ItemsReport): Promise<ImportedItem[]> {
  const urls = batch.flatMap(({ capture }) => (isLink(capture) || capture.messages != null ? (capture.url ?? []) : []));
  if (urls.length === 0) return [...batch];
  const { found } = await core.memories.lookup(LOCAL_USER, urls);
  const ids = new Map(found.map(({ url, id }) => [url, id]));
  const left: ImportedItem[] = [];
  for (const item of batch) {
    const id = ids.get(item.capture.url ?? '');
    if (id !== undefined && (await isKnown(core, id, item, report))) {
      report.duplicates += 1;
      await markKnown(core, id, item);
    } else left.push(item);
  }
  return left;
}

/** Whether a memory has what an item has. A page gets the tags of a link to it. */
async function isKnown(core: Core, id: string, { capture }: ImportedItem, report: ItemsReport): Promise<boolean> {
  const { messages } = capture;
  if (messages != null) {
    const { turns } = await core.memories.get(LOCAL_USER, id);
    const isBegun = (turns ?? []).length >= messages.length;
    return isBegun && messages.every(({ role, text }, at) => turns?.[at]?.role === role && turns[at]?.text === text);
  }
  if (!isLink(capture) || saysMore(capture)) return false;
  if (!capture.tags?.length) return true;
  const { tags } = await core.memories.get(LOCAL_USER, id);
  const has = new Set(tags.map(tagKey));
  const missing = (capture.tags ?? []).filter((tag) => !has.has(tagKey(tag)));
  const added = missing.slice(0, Math.max(0, limits.capture.tags - tags.length));
  if (added.length < missing.length)
    report.skipped.push({
      item: nameOf({ capture }),
      reason: `The page has ${tags.length} tags, so not all were added.`,
    });
  if (added.length > 0) await core.memories.update(LOCAL_USER, id, { addTags: added });
  return true;
}

function isLink({ metadata }: Capture): boolean {
  return metadata?.content === 'link';
}

/** Whether a link has a note or a description. */
function saysMore({ note, pageText, title }: Capture): boolean {
  return note != null || (pageText ?? '') !== (title ?? '');
}

function nameOf({ capture }: ImportedItem): string {
  return capture.title || capture.url || (capture.pageText ?? capture.selection ?? '').slice(0, 80);
}
