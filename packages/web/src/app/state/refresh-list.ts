import { beginningOf } from '@recollect/contract/text';
import { client, isNotFound } from '../api/client.js';
import { isOffline } from '../api/connection.js';
import { reportChanges } from '../api/events.js';
import { type Item, items, toItem } from './library.js';
import { isInReadPart, isNewer, listedQuery, listedSort, loadList, PAGE_SIZE } from './load-list.js';

/** Characters of a text from which an excerpt is made. */
const MAX_EXCERPT_CHARACTERS = 600;
/** Memories that are read one by one. More are read with the list. */
const MAX_SINGLE_READS = 20;
/** Milliseconds after the last change of a memory before the list is brought up to date. */
const DEBOUNCE_MS = 200;

const changed = new Set<string>();
let isUnknown = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Brings the list up to date after memories changed; null if any may have. Where the user is in the list stays. */
export function refreshList(ids: readonly string[] | null): void {
  for (const id of ids ?? []) changed.add(id);
  isUnknown ||= ids === null;
  clearTimeout(timer);
  timer = setTimeout(() => void update(), DEBOUNCE_MS);
}

/** Brings everything that is shown up to date after this window changed memories. Resolves once the list is. */
export async function refresh(ids: readonly string[] | null): Promise<void> {
  reportChanges(ids);
  refreshList(ids);
  clearTimeout(timer);
  await update();
}

async function update(): Promise<void> {
  const ids = [...changed];
  const asked = listedQuery.peek();
  const isSimple = asked === '' && listedSort.peek() === 'newest' && !isUnknown && ids.length <= MAX_SINGLE_READS;
  changed.clear();
  isUnknown = false;
  if (items.peek() === null || asked === null || isOffline.peek()) return;
  // A short list, or one whose order or conditions are the server's to decide, is read again.
  if (!isSimple || (items.peek()?.length ?? 0) <= PAGE_SIZE) return loadList();
  const read = await Promise.all(ids.map(readOne)).catch(() => null);
  // Meanwhile the user may have searched, or scrolled to another page.
  if (read === null || listedQuery.peek() !== asked) return loadList();
  const others = (items.peek() ?? []).filter(({ id }) => !ids.includes(id));
  const shown = read.filter((item) => item !== null).filter(isInReadPart);
  items.value = [...others, ...shown].sort((a, b) => (isNewer(a, b) ? -1 : 1));
}

/** A memory as an item; null if it is no longer there. */
async function readOne(id: string): Promise<Item | null> {
  try {
    const memory = await client('getMemory', { parameters: { id } });
    return toItem({ ...memory, excerpt: beginningOf(memory.text.slice(0, MAX_EXCERPT_CHARACTERS), memory.title) });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
