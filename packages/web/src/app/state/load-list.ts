import { effect, signal } from '@preact/signals';
import { limits } from '@recollect/contract/limits';
import { client, explain } from '../api/client.js';
import { isOffline } from '../api/connection.js';
import { joinQuery, splitQuery, toFilter } from '../search/operators.js';
import { type Item, items, nextCursor, toItem } from './library.js';
import { query } from './query.js';

/** Memories per request for a list. */
const PAGE = limits.memories.page.maximum;
/** Milliseconds after the last change of a memory before the list is read again. */
const SETTLE = 200;
/** Memories below the first page that are read one by one. */
const MOST = 50;

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

/** Brings the list up to date with changed memories: those of the first page, and those that are shown. */
export function refreshList(ids: readonly string[] | null): void {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(ids), SETTLE);
}

/** Brings the list up to date, and keeps what is read of it, so that the window stays where it is. */
export async function refresh(ids: readonly string[] | null): Promise<void> {
  const listed = items.peek();
  const asked = listedQuery.peek() ?? '';
  if (ids === null || listed === null || listed.length <= PAGE || isOffline.peek()) return loadList();
  try {
    const first = await read(asked, null);
    const isFirst = new Set(first.items.map(({ id }) => id));
    const isListed = new Set(listed.map(({ id }) => id));
    // So many are new that others may be missing between them and the rest.
    if (!first.items.some(({ id }) => isListed.has(id))) return loadList();
    // Those further down are read one by one. They may no longer belong to the list, or belong to it again.
    const below = ids.filter((id) => !isFirst.has(id) && (isListed.has(id) || asked === '')).slice(0, MOST);
    const kept = (await Promise.all(below.map((id) => readOne(id)))).filter((item) => item !== null);
    const changed = new Set([...ids, ...isFirst]);
    const rest = listed.filter(({ id }) => !changed.has(id)).concat(kept);
    const [top, end] = [first.items.at(-1)?.capturedAt ?? '', listed.at(-1)?.capturedAt ?? ''];
    const isInRange = ({ capturedAt }: Item) => capturedAt <= top && (capturedAt >= end || nextCursor.peek() === null);
    rest.sort((a, b) =>
      a.capturedAt === b.capturedAt ? (a.id < b.id ? 1 : -1) : a.capturedAt < b.capturedAt ? 1 : -1,
    );
    items.value = [...first.items, ...rest.filter(isInRange)];
  } catch {
    // The next change or the next visit reads it again.
  }
}

async function readOne(id: string): Promise<Item | null> {
  const memory = await client('getMemory', { parameters: { id } }).catch(() => null);
  return memory === null ? null : { ...toItem({ ...memory, excerpt: memory.text.slice(0, 300) }) };
}

/** Reads the list whenever the query changes, until the returned function is called. */
export function followQuery(): () => void {
  return effect(() => {
    if (query.value !== listedQuery.peek() || items.peek() === null) void loadList();
  });
}
