import { computed, effect, signal } from '@preact/signals';
import type { QueryAnswer, QueryFields, QueryResult } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { joinQuery, splitQuery } from '@recollect/contract/query-syntax';
import { shownResults } from '@recollect/contract/shown-results';
import type { Sort } from '@recollect/contract/vocabulary';
import { client } from '../api/client.js';
import { type Item, items, nextCursor, toItem } from './library.js';
import { isListPage, query } from './query.js';
import { createResource } from './resource.js';
import { clearSelection } from './selection.js';
import { sort } from './sort.js';

/** Memories per request for a list. */
export const PAGE_SIZE = limits.memories.page.maximum;
/** Reload at most this many rows, so that the user stays where they are in the list. */
const MAX_RELOADED_ROWS = 2_000;

type Understood = Pick<QueryAnswer, 'corrected' | 'suggestion' | 'interpreted' | 'careful' | 'warnings'>;

interface Page extends Understood {
  items: readonly Item[];
  /** Weaker results below {@link items}, which are shown on request. */
  folded?: readonly Item[];
  nextCursor: string | null;
}

interface List extends Page {
  query: string;
  sort: Sort;
  /** The last row loaded; the next page starts after it. */
  readTo: Item | null;
}

const list = createResource<List>(() => readList(query.peek()));

/** The query shown; it lags behind typing. */
export const listedQuery = computed(() => list.value.value?.query ?? null);
/** The order of the list shown. */
export const listedSort = computed(() => list.value.value?.sort ?? null);
/**
 * How the listed query was understood: words that were searched for instead of mistyped ones, the time that it names,
 * and remarks.
 */
export const understood = computed<Understood>(() => list.value.value ?? {});
/** Why the list could not be read; null if it could. */
export const listProblem = computed(() => list.problem.value || null);
/** The query whose weaker results are shown. */
const unfolded = signal<string | null>(null);
/** The weaker results that are not shown yet. */
export const foldedItems = computed(() =>
  unfolded.value === listedQuery.value ? [] : (list.value.value?.folded ?? []),
);
/** Whether a second model is judging the best results. */
export const isSearchingCarefully = signal(false);
/** Whether the next page is being read. */
export const isLoadingMore = signal(false);
/** The latest request. Its answer may be pending, and replaces the list. */
let lastAsked: Pick<List, 'query' | 'sort'> | null = null;
/** The query whose words are not corrected. */
let asTyped: string | null = null;
/** The query whose best results a second model judges. */
let careful: string | null = null;

list.value.subscribe((read) => {
  if (read === null) return;
  items.value = read.items;
  nextCursor.value = read.nextCursor;
});

/** Reads the list for the current query. While an answer is on its way, only the newest query waits. */
export const loadList = (): Promise<void> => list.load();

/** Searches for the words of a query without correction. */
export function takeAsTyped(text: string): void {
  asTyped = text;
  if (text === query.peek()) void loadList();
}

/** Has a second model judge the best results of the present query. */
export async function searchCarefully(): Promise<void> {
  careful = query.peek();
  isSearchingCarefully.value = true;
  await loadList();
  isSearchingCarefully.value = false;
}

/** Shows the weaker results of the present query below the others. */
export function showWeaker(): void {
  const folded = foldedItems.peek();
  unfolded.value = listedQuery.peek();
  items.value = [...(items.peek() ?? []), ...folded];
}

/** Reads the next page of a list. */
export async function loadMore(): Promise<void> {
  if (isLoadingMore.peek()) return;
  isLoadingMore.value = true;
  await list.load(readMore);
  isLoadingMore.value = false;
}

/** Whether a memory belongs to the part of a list, newest first, that was read. Older ones come with their own page. */
export function isInReadPart(item: Item): boolean {
  const readTo = list.value.peek()?.readTo ?? null;
  return nextCursor.peek() === null || readTo === null || item.id === readTo.id || isNewer(item, readTo);
}

/** The order of a list that is newest first. */
export function isNewer(a: Item, b: Item): boolean {
  return a.capturedAt === b.capturedAt ? a.id > b.id : a.capturedAt > b.capturedAt;
}

/** Reads the list whenever the query or the order changes, until the returned function is called. */
export function followQuery(): () => void {
  return effect(() => {
    const [asked, order] = [query.value, sort.value];
    const isAsked = asked === lastAsked?.query && order === lastAsked.sort;
    const isCurrent = isAsked && items.peek() !== null && listProblem.peek() === null;
    if (!isCurrent) void loadList();
  });
}

async function readList(asked: string): Promise<List> {
  const order = sort.peek();
  lastAsked = { query: asked, sort: order };
  const isSame = asked === listedQuery.peek() && order === listedSort.peek();
  // It was asked for once: who types the same words again gets the usual order.
  if (asked !== careful) careful = null;
  // A list that is read again stays as long as it was.
  const page = await readAtLeast(asked, order, isSame ? (items.peek()?.length ?? 0) : 0);
  if (!isSame) startOver();
  return toList(asked, order, page);
}

async function readMore(before: List | null): Promise<List> {
  // Before another list was read, this one may have ended.
  if (before === null || before.nextCursor === null) return before ?? readList(query.peek());
  const page = await read(before.query, before.sort, before.nextCursor);
  // They may have changed since they were read.
  const present = items.peek() ?? [];
  const loadedIds = new Set(present.map(({ id }) => id));
  return {
    ...before,
    ...toList(before.query, before.sort, page),
    items: [...present, ...page.items.filter(({ id }) => !loadedIds.has(id))],
  };
}

const toList = (asked: string, order: Sort, page: Page): List => ({
  ...page,
  query: asked,
  sort: order,
  readTo: page.items.at(-1) ?? null,
});

/**
 * Another query, or the same in another order, begins at its first result, with nothing selected: memories that are not
 * listed must not be changed.
 */
function startOver(): void {
  clearSelection();
  if (listedQuery.peek() !== null && isListPage()) window.scrollTo(0, 0);
}

async function readAtLeast(asked: string, order: Sort, rows: number): Promise<Page> {
  let page = await read(asked, order, null);
  while (page.nextCursor !== null && page.items.length < Math.min(rows, MAX_RELOADED_ROWS)) {
    const next = await read(asked, order, page.nextCursor);
    page = { items: [...page.items, ...next.items], nextCursor: next.nextCursor };
  }
  return page;
}

/** Memories that match words are searched; all others are listed. */
async function read(asked: string, order: Sort, after: string | null): Promise<Page> {
  const { operators, words } = splitQuery(asked);
  if (words === '') {
    const listed = await client('listMemories', {
      query: { filter: joinQuery(operators, ''), limit: PAGE_SIZE, sort: order, cursor: after ?? undefined },
    });
    return { items: listed.memories.map(toItem), nextCursor: listed.nextCursor };
  }
  const answer = await search(joinQuery(operators, words), { asTyped: asked === asTyped, careful: asked === careful });
  const { strong, weaker, ...remarks } = answer;
  // Where no result is strong, the weaker ones are the answer.
  const isFolded = strong.length > 0 && asked !== unfolded.peek();
  return { ...remarks, items: isFolded ? strong : [...strong, ...weaker], folded: weaker, nextCursor: null };
}

/** Searches by words: the strong results and the weaker ones, both best first. */
export async function search(
  asked: string,
  how: Pick<QueryFields, 'asTyped' | 'careful'> = {},
): Promise<Understood & { strong: readonly Item[]; weaker: readonly Item[] }> {
  const body = { query: asked, limit: limits.query.results.maximum, ...how };
  const { results, query: _, ...remarks } = await client('query', { body });
  const { strong, weaker } = shownResults(results);
  const toResult = (result: QueryResult): Item => {
    const { score, match, versions, similar } = result;
    return { ...toItem(result), score, match, versions, similar };
  };
  return { ...remarks, strong: strong.map(toResult), weaker: weaker.map(toResult) };
}
