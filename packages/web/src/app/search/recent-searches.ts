import { signal } from '@preact/signals';
import { ownName } from '../api/base-path.js';

const STORAGE_KEY = ownName('recollect-recent-searches');
/** Searches that this browser remembers. */
const MAX_RECENT_SEARCHES = 8;

/** The latest searches, newest first. Only this browser knows them. */
export const recentSearches = signal<readonly string[]>(read());

export function rememberSearch(query: string): void {
  const text = query.trim();
  if (text.length < 2) return;
  keep([text, ...recentSearches.peek().filter((other) => other !== text)].slice(0, MAX_RECENT_SEARCHES));
}

export function forgetSearches(): void {
  keep([]);
}

function keep(searches: readonly string[]): void {
  recentSearches.value = searches;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(searches));
}

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((text) => typeof text === 'string').slice(0, MAX_RECENT_SEARCHES) : [];
  } catch {
    return [];
  }
}
