import type { SavedSearchBody } from '@recollect/contract';
import { tagKey } from '@recollect/contract/text';
import { RecollectError } from '../error.js';
import type { SavedSearches } from '../saved-searches.js';
import type { ReportSoFar } from './import-report.js';

/**
 * Adds the saved searches of an export. If a name belongs to another query here, that one is kept and the other
 * reported.
 */
export async function importSearches(
  savedSearches: SavedSearches,
  userId: string,
  searches: readonly SavedSearchBody[],
  report: ReportSoFar,
): Promise<void> {
  const present = (await savedSearches.list(userId)).savedSearches;
  const kept = new Map(present.map(({ name, query }) => [tagKey(name), query]));
  for (const { name, query } of searches) {
    if (kept.get(tagKey(name)) === query) continue;
    try {
      await savedSearches.create(userId, { name, query });
      report.keepSearch();
    } catch (error) {
      if (!(error instanceof RecollectError)) throw error;
      const isTaken = error.code === 'NAME_TAKEN';
      report.skip(`saved search ${name}`, isTaken ? TAKEN : error.message);
    }
  }
}

const TAKEN = 'There is already a saved search with this name and another query, which was kept.';
