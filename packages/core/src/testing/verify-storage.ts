import { checkApiKeys } from './api-key-cases.js';
import { checkEvents } from './event-cases.js';
import { createHarness, type Harness, type StorageUnderTest } from './harness.js';
import { checkIndexing } from './indexing-cases.js';
import { checkMemories } from './memory-cases.js';
import { checkPlugins } from './plugin-cases.js';
import { checkSearch } from './search-cases.js';
import { checkTrash } from './trash-cases.js';

type Test = (title: string, run: () => Promise<void>) => void;

/**
 * The conformance suite of the store ports: whatever passes it can stand under core. `test` is the test runner's
 * function, `open` gives an empty store each time.
 */
export function verifyStorage(test: Test, open: () => Promise<StorageUnderTest>): void {
  const check = (title: string, run: (storage: Harness) => Promise<void>) =>
    test(title, async () => {
      const storage = await open();
      try {
        await run(createHarness(storage));
      } finally {
        await storage.close();
      }
    });
  checkMemories(check);
  checkTrash(check);
  checkSearch(check);
  checkIndexing(check);
  checkApiKeys(check);
  checkPlugins(check);
  checkEvents(check);
}
