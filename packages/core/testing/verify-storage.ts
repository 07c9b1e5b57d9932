import { checkApiKeys } from './api-key-cases.js';
import { checkBulkChanges } from './bulk-cases.js';
import { checkChanges } from './change-cases.js';
import { checkConversations } from './conversation-cases.js';
import { checkCounts } from './count-cases.js';
import { checkErrors } from './error-cases.js';
import { checkEvents } from './event-cases.js';
import { type Check, createHarness, type StorageUnderTest } from './harness.js';
import { checkHighlights } from './highlight-cases.js';
import { checkHistory } from './history-cases.js';
import { checkImports } from './import-cases.js';
import { checkIndexing } from './indexing-cases.js';
import { checkLinks } from './link-cases.js';
import { checkMemories } from './memory-cases.js';
import { checkPairings } from './pairing-cases.js';
import { checkPeople } from './people-cases.js';
import { checkPictures } from './picture-cases.js';
import { checkPlugins } from './plugin-cases.js';
import { checkSavedSearches } from './saved-search-cases.js';
import { checkSearch } from './search-cases.js';
import { checkSessions } from './session-cases.js';
import { checkShares } from './share-cases.js';
import { checkStatistics } from './statistics-cases.js';
import { checkTextSearch } from './text-search-cases.js';
import { checkTransfer } from './transfer-cases.js';
import { checkTrash } from './trash-cases.js';
import { checkVectorSearch } from './vector-search-cases.js';
import { checkVersions } from './version-cases.js';

type Test = (title: string, run: () => Promise<void>) => void;

const CASES = {
  memories: (check: Check) => {
    checkMemories(check);
    checkConversations(check);
    checkLinks(check);
    checkTrash(check);
    checkHistory(check);
    checkVersions(check);
    checkBulkChanges(check);
    checkCounts(check);
    checkHighlights(check);
    checkSavedSearches(check);
    checkImports(check);
    checkStatistics(check);
    checkShares(check);
    checkPictures(check);
    checkErrors(check);
    checkTransfer(check);
  },
  search: (check: Check) => {
    checkSearch(check);
    checkTextSearch(check);
    checkVectorSearch(check);
  },
  indexing: checkIndexing,
  changes: checkChanges,
  keys: (check: Check) => {
    checkApiKeys(check);
    checkSessions(check);
    checkPairings(check);
    checkPeople(check);
  },
  plugins: checkPlugins,
  events: checkEvents,
};

export type CaseGroup = keyof typeof CASES;

/**
 * The conformance suite of the store ports: core works with any implementation that passes it. `test` is the test
 * runner's function, and `open` returns an empty store each time. `groups` is all groups by default.
 *
 * @example
 * describe('SQLite in memory', () => verifyStorage(test, () => openStorage({ url: 'sqlite::memory:' })));
 */
export function verifyStorage(
  test: Test,
  open: () => Promise<StorageUnderTest>,
  groups: readonly CaseGroup[] = Object.keys(CASES) as CaseGroup[],
): void {
  const check: Check = (title, run) =>
    test(title, async () => {
      const storage = await open();
      try {
        await run(createHarness(storage));
      } finally {
        await storage.close();
      }
    });
  for (const group of groups) CASES[group](check);
}
