import { expect, test } from 'vitest';
import { createChangeLog, recordChanges } from '../dist/indexing/change-log.js';
import { sqliteDialect } from '../dist/sqlite/dialect.js';

test('QRY-7: trims the change log, and an index that is further behind must rebuild', async () => {
  const connected = await sqliteDialect.connect('sqlite::memory:', { readers: 1 });
  try {
    for (const migration of Object.values(sqliteDialect.migrations)) await migration.up(connected.writer);
    const log = createChangeLog({ ...connected, ...sqliteDialect.sql });
    const record = (userId: string, count: number) =>
      connected.writer
        .transaction()
        .execute((trx) =>
          recordChanges(
            { trx, userId, changeNumbers: 'store' },
            new Set(Array.from({ length: count }, (_, at) => `${userId} ${at}`)),
          ),
        );

    await record('bob', 1);
    for (let round = 0; round < 24; round++) await record('ann', 500);
    expect(await log.latest('ann')).toBe(12_001);
    // 10,000 are kept, and the log was trimmed when it passed 12,000.
    expect(await log.since('ann', 2_000)).toBeNull();
    expect((await log.since('ann', 2_001))?.length).toBe(10_000);
    expect((await log.since('ann', 12_000))?.map(({ memoryId }) => memoryId)).toEqual(['ann 499']);
    expect(await log.since('bob', 12_000)).toEqual([]);
    await record('ann', 1);
    expect((await log.since('ann', 12_001))?.length).toBe(1);
  } finally {
    await connected.close();
  }
});
