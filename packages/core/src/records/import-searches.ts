import type { SavedSearchBody } from '@recollect/contract';
import { RecollectError } from '../error.js';
import type { SavedSearches } from '../saved-searches.js';
import type { ReportSoFar } from './import-report.js';

/** Keeps the saved searches of an export. One whose name is taken stays as it is here. */
export async function importSearches(
  savedSearches: SavedSearches,
  userId: string,
  searches: readonly SavedSearchBody[],
  report: ReportSoFar,
): Promise<void> {
  const kept = new Map((await savedSearches.list(userId)).savedSearches.map(({ name, query }) => [name, query]));
  for (const search of searches) {
    if (kept.get(search.name) === search.query) continue;
    try {
      await savedSearches.create(userId, search);
      report.keepSearch();
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error;
      const isTaken = error.code === 'NAME_TAKEN';
      report.skip(`saved search ${search.name}`, isTaken ? TAKEN : error.message);
    }
  }
}

const TAKEN = 'A saved search with this name has another query. It stays as it is.';
