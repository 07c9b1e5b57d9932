import type { MemorySummary, ReviewedHighlight } from '@recollect/contract';
import { joinQuery, splitQuery } from '@recollect/contract/query-syntax';
import { shownResults } from '@recollect/contract/shown-results';
import type { Sort } from '@recollect/contract/vocabulary';
import { client } from '../api/client.js';
import { type Item, toItem } from './library.js';
import type { NamedList } from './saved-searches.js';

/** Cards of a shelf, which one row shows. */
const SHELF_SIZE = 12;
/** Days before and after the same day of last year. */
const YEAR_AGO_DAYS = 7;

/** Memories that the home page offers together. */
export interface Shelf {
  name: string;
  /** The query that lists all of its memories. */
  query: string;
  items: readonly Item[];
}

export interface Home {
  shelves: readonly Shelf[];
  /** Highlights to review today. */
  highlights: readonly ReviewedHighlight[];
}

/** Reads the shelves that everyone has. Empty ones are left out. */
export async function readHome(now = new Date()): Promise<Home> {
  const [reading, recent, yearAgo, { highlights }] = await Promise.all([
    readList('Continue reading', 'is:reading', 'opened'),
    readList('Recently saved', ''),
    readList('From a year ago', yearAgoQuery(now)),
    client('highlightsToReview', { query: {} }),
  ]);
  return {
    shelves: withItems([reading, recent, yearAgo]),
    highlights: highlights.filter(({ decision }) => decision === null),
  };
}

/** Reads the shelves of saved searches. Empty ones are left out. */
export async function readSavedShelves(searches: readonly Pick<NamedList, 'name' | 'query'>[]): Promise<Shelf[]> {
  return withItems(await Promise.all(searches.map(({ name, query }) => readSearch(name, query))));
}

/**
 * The query for memories of the days around this day of last year.
 *
 * @example
 * yearAgoQuery(new Date('2026-11-30T12:00')); // 'after:2025-11-23 before:2025-12-08'
 */
export function yearAgoQuery(now: Date): string {
  const dayOf = (shift: number) => {
    const day = new Date(now.getFullYear() - 1, now.getMonth(), now.getDate() + shift);
    const [month, date] = [day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, '0'));
    return `${day.getFullYear()}-${month}-${date}`;
  };
  return `after:${dayOf(-YEAR_AGO_DAYS)} before:${dayOf(YEAR_AGO_DAYS + 1)}`;
}

async function readSearch(name: string, query: string): Promise<Shelf> {
  const { operators, words } = splitQuery(query);
  if (words === '') return readList(name, joinQuery(operators, ''));
  const { results } = await client('query', { body: { query, limit: SHELF_SIZE } });
  return { name, query, items: shownResults(results).strong.map(toItem) };
}

async function readList(name: string, query: string, sort: Sort = 'newest'): Promise<Shelf> {
  const { memories } = await client('listMemories', { query: { filter: query, limit: SHELF_SIZE, sort } });
  return { name, query, items: memories.map((memory: MemorySummary) => toItem(memory)) };
}

function withItems(shelves: readonly Shelf[]): Shelf[] {
  return shelves.filter(({ items }) => items.length > 0);
}
