import { effect, signal } from '@preact/signals';
import { limits } from '@recollect/contract/limits';
import { plainText } from '@recollect/contract/text';
import { client, explain, isNotFound } from '../api/client.js';
import { isOffline } from '../api/connection.js';
import { joinQuery, splitQuery, toFilter } from '../search/operators.js';
import { type Item, items, nextCursor, toItem } from './library.js';
import { query } from './query.js';

/** Memories per request for a list. */
const PAGE = limits.memories.page.maximum;
/** Characters of a text from which an excerpt is made. */
const EXCERPT = 600;
/** Milliseconds after the last change of a memory before the list is brought up to date. */
const SETTLE = 200;

/** The query whose memories are listed, which is behind the query that is typed. */
export const listedQuery = signal<string | null>(null);
/** Why the list could not be read; null if it could. */
export const listProblem = signal<string | null>(null);
/** Whether the next page is being read. */
export const isLoadingMore = signal(false);

interface Page {
  items: readonly Item[];
  nextCursor: string | null;
}

let running = false;
let waiting = false;

/** Reads the list for the current query. While an answer is on its way, only the newest query waits. */
export async function loadList(): Promise<void> {
  if (running) {
    waiting = true;
    return;
  }
  running = true;
  const asked = query.peek();
  try {
    const page = await read(asked, null);
    // An answer for an older query is still closer to what was typed than the one before.
    items.value = page.items;
    nextCursor.value = page.nextCursor;
    listedQuery.value = asked;
    listProblem.value = null;
  } catch (error) {
    listProblem.value = explain(error);
  } finally {
    running = false;
  }
  if (waiting) {
    waiting = false;
    await loadList();
  }
}

/** Reads the next page of a list. */
export async function loadMore(): Promise<void> {
  const cursor = nextCursor.peek();
  const asked = listedQuery.peek();
  if (cursor === null || asked === null || isLoadingMore.peek()) return;
  isLoadingMore.value = true;
  try {
    const page = await read(asked, cursor);
    if (nextCursor.peek() !== cursor) return;
    const known = new Set(items.peek()?.map(({ id }) => id));
    items.value = [...(items.peek() ?? []), ...page.items.filter(({ id }) => !known.has(id))];
    nextCursor.value = page.nextCursor;
  } catch (error) {
    listProblem.value = explain(error);
  } finally {
    isLoadingMore.value = false;
  }
}

/** Memories that match words are searched; all others are listed, newest first. */
async function read(asked: string, cursor: string | null): Promise<Page> {
  const { operators, words } = splitQuery(asked);
  if (words === '') {
    const listed = await client('listMemories', {
      query: { ...toFilter(operators), limit: PAGE, cursor: cursor ?? undefined },
    });
    return { items: listed.memories.map(toItem), nextCursor: listed.nextCursor };
  }
  const { results } = await client('query', {
    body: { query: joinQuery(operators, words), limit: limits.query.results.maximum },
  });
  return { items: results.map((result) => ({ ...toItem(result), match: result.match })), nextCursor: null };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Brings the list up to date after memories changed; null if any may have. Where the user is in the list stays. */
export function refreshList(ids: readonly string[] | null): void {
  for (const id of ids ?? []) changed.add(id);
  isUnknown ||= ids === null;
  clearTimeout(timer);
  timer = setTimeout(() => void update(), SETTLE);
}

/** The same without delay. Resolves once the list is up to date. */
export async function refresh(ids: readonly string[] | null): Promise<void> {
  refreshList(ids);
  clearTimeout(timer);
  await update();
}

const changed = new Set<string>();
let isUnknown = false;

async function update(): Promise<void> {
  const ids = [...changed];
  const listed = items.peek();
  const asked = listedQuery.peek();
  const isSimple = asked === '' && !isUnknown && ids.length <= PAGE;
  changed.clear();
  isUnknown = false;
  if (listed === null || asked === null || isOffline.peek()) return;
  // A short list, or one whose order or conditions are the server's to decide, is read again.
  if (!isSimple || listed.length <= PAGE) return loadList();
  const current = await Promise.all(ids.map(readOne)).catch(() => null);
  if (current === null) return loadList();
  const others = listed.filter(({ id }) => !ids.includes(id));
  const last = others.at(-1);
  // Older memories come with their own page.
  const shown = current.filter((item) => item !== null).filter((item) => last === undefined || isNewer(item, last));
  items.value = [...others, ...shown].sort((a, b) => (isNewer(a, b) ? -1 : 1));
}

function isNewer(a: Item, b: Item): boolean {
  return a.capturedAt === b.capturedAt ? a.id > b.id : a.capturedAt > b.capturedAt;
}

/** A memory as an item; null if it is no longer there. */
async function readOne(id: string): Promise<Item | null> {
  try {
    const memory = await client('getMemory', { parameters: { id } });
    return toItem({ ...memory, excerpt: plainText(memory.text.slice(0, EXCERPT)).replace(/\s+/g, ' ').trim() });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Reads the list whenever the query changes, until the returned function is called. */
export function followQuery(): () => void {
  return effect(() => {
    if (query.value !== listedQuery.peek() || items.peek() === null) void loadList();
  });
}
