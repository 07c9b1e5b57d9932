import type { Capture } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { tagKey } from '@recollect/contract/text';
import { RecollectError } from '../error.js';
import type { MemoryEdit } from '../memories/edit-memory.js';
import type { ExportedItem, StoredMemory } from '../ports/index.js';
import { splitTurns } from '../text/turns.js';
import { isSameLink, mergeTexts } from './merge-links.js';
import { type ItemsImport, itemName, type RunningImport, skip } from './report.js';

/** The read state in the other program; null if nothing was read. */
export function readStateOf({ isRead, isReading }: ExportedItem): 'read' | 'reading' | null {
  if (isRead) return 'read';
  return isReading ? 'reading' : null;
}

/** Whether the other program says that an item was starred or read, or where it keeps the item. */
export function saysMore(item: ExportedItem): boolean {
  return item.isStarred === true || readStateOf(item) !== null || item.place !== undefined;
}

/**
 * Stars a memory that exists, marks it as read, or moves it, as the other program has it, unless that was ever changed
 * here. The inbox has what was captured here, so nothing is moved out of it. Returns whether it did.
 */
export async function markKnown(
  { memories, userId, actor, importId: changeId }: ItemsImport,
  { id, starred, readState, place }: Pick<StoredMemory, 'id' | 'starred' | 'readState' | 'place'>,
  item: ExportedItem,
): Promise<boolean> {
  const stated = readStateOf(item);
  const change: Pick<MemoryEdit, 'starred' | 'readState' | 'place'> = {
    ...(item.isStarred && !starred ? { starred: true } : {}),
    ...(stated !== null && readState === 'unread' ? { readState: stated } : {}),
    ...(item.place !== undefined && item.place !== place && place !== 'inbox' ? { place: item.place } : {}),
  };
  const fields = Object.keys(change) as (keyof typeof change)[];
  if (fields.length === 0) return false;
  const { history, oldest } = await memories.history(userId, id);
  const isChanged = (field: (typeof fields)[number]) =>
    oldest > 0 || history.some((entry) => entry.fields.includes(field));
  for (const field of fields) if (isChanged(field)) delete change[field];
  if (Object.keys(change).length === 0) return false;
  await memories.update(userId, id, change, actor, { changeId });
  return true;
}

/** The other value if the memory was deleted since it was looked up, which does not end the import. */
export async function unlessDeleted<Value>(change: Promise<Value>, otherwise: Value): Promise<Value> {
  return change.catch((error) => {
    if (error instanceof RecollectError && error.code === 'NOT_FOUND') return otherwise;
    throw error;
  });
}

/** A runner makes the embeddings: an import does not wait for them. */
const EMBEDS_LATER = AbortSignal.abort();

/**
 * Gives a memory the tags of a link to its page. If the memory is an unedited link, also adds the words and notes.
 * Returns whether any were new; null if the memory lacks more of the item.
 */
export async function completeKnown(
  into: RunningImport,
  memory: StoredMemory,
  item: ExportedItem,
): Promise<{ isChanged: boolean } | null> {
  const { memories, userId, actor, importId: changeId } = into;
  const { capture, isLink } = item;
  const { messages } = capture;
  const { id } = memory;
  if (messages != null) {
    const turns = memory.captureMode === 'conversation' ? splitTurns(memory.text, memory.turnStarts) : [];
    const isKnown = messages.every(({ role, text }, at) => turns[at]?.role === role && turns[at].text === text);
    return isKnown ? { isChanged: false } : null;
  }
  if (!isLink) return null;
  const words = await missingWords(into, memory, capture);
  if (words === null && hasOwnWords(capture)) return null;
  const addTags = missingTags(into, memory, capture);
  const edit: MemoryEdit = { ...words, ...(addTags.length === 0 ? {} : { addTags }) };
  if (Object.keys(edit).length === 0) return { isChanged: false };
  try {
    await memories.update(userId, id, edit, actor, { signal: EMBEDS_LATER, changeId });
  } catch (error) {
    // An earlier import kept the other title apart, or both are too long for one memory.
    if (error instanceof RecollectError && REFUSED.includes(error.code)) return null;
    throw error;
  }
  return { isChanged: true };
}

const REFUSED: readonly string[] = ['MEMORY_DUPLICATE', 'VALIDATION_FAILED'];

/**
 * The texts of another link to the same page that a link lacks. Null for a page, and for a link that was edited here.
 */
async function missingWords(
  { memories, userId, created }: RunningImport,
  memory: StoredMemory,
  capture: Capture,
): Promise<Pick<MemoryEdit, 'title' | 'text' | 'note'> | null> {
  if (!memory.isLink || !isSameLink(memory.url, capture.url)) return null;
  const merged = mergeTexts({ title: memory.title, pageText: memory.text, note: memory.note }, capture);
  const change = {
    ...(merged.title === memory.title ? {} : { title: merged.title ?? '' }),
    ...(merged.pageText === memory.text ? {} : { text: merged.pageText ?? '' }),
    ...((merged.note ?? null) === memory.note ? {} : { note: merged.note ?? null }),
  };
  if (Object.keys(change).length === 0 || created.has(memory.id)) return change;
  const { history, oldest } = await memories.history(userId, memory.id);
  const isEdited = oldest > 0 || history.some(({ fields }) => fields.some((field) => EDITED.includes(field)));
  return isEdited ? null : change;
}

const EDITED: readonly string[] = ['title', 'text', 'note'];

function missingTags({ report }: ItemsImport, { tags }: Pick<StoredMemory, 'tags'>, capture: Capture): string[] {
  const has = new Set(tags.map(tagKey));
  const missing = (capture.tags ?? []).filter((tag) => !has.has(tagKey(tag)));
  const added = missing.slice(0, Math.max(0, limits.capture.tags - tags.length));
  if (added.length < missing.length)
    skip(report, itemName({ capture }), `The page has ${tags.length} tags, so not all were added.`);
  return added;
}

/** Whether a link has a note or a description. */
function hasOwnWords({ note, pageText, title }: Capture): boolean {
  return note != null || (pageText ?? '') !== (title ?? '');
}
