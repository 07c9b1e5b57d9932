import { verifyStorage } from '@recollect/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFile } from './open-file.js';
import { PAGES, WHOLE } from './plans/allowed-walks.js';
import { findWalks } from './plans/find-walks.js';
import { recordPlans } from './plans/record-plans.js';

// With threads, which take ten times as long to start as a case takes: vectors/verify-storage.test.ts, and the long
// suite.
describe('SQLite in a file, without threads', () => {
  let plans: ReturnType<typeof recordPlans>;
  beforeAll(() => {
    plans = recordPlans();
  });
  afterAll(() => {
    plans.stop();
  });
  // Only a migration may read a whole store.
  verifyStorage(test, () => plans.without(() => openFile({ readers: 0 })));

  test('reads all rows of a table or of a user in no statement but the allowed ones', () => {
    const read = plans.planned().map((planned) => ({
      statement: planned.sql.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim(),
      walks: findWalks(planned),
    }));
    const walking = read.filter(({ walks }) => walks.length > 0);
    const isAllowed = ({ statement, walks }: (typeof walking)[number]) =>
      WHOLE.some(
        ([allowed, , expected = /^/]) => allowed.test(statement) && walks.every(({ step }) => expected.test(step)),
      ) ||
      (PAGES.some(([allowed]) => allowed.test(statement)) && !walks.some(({ isSorted }) => isSorted));
    expect(walking.filter((one) => !isAllowed(one))).toEqual([]);
    const unused = [...PAGES, ...WHOLE].filter(
      ([allowed]) => !walking.some(({ statement }) => allowed.test(statement)),
    );
    expect(unused.map(([, reason]) => reason)).toEqual([]);
  });
});
