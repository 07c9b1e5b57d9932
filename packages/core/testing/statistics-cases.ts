import { equal } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

/** Registers the cases for the counts of statistics. */
export function checkStatistics(check: Check): void {
  check('SYS-52: counts the live memories of a user by day, as saved and as opened', async (storage) => {
    const { memories, statistics } = storage;
    const days = ['2026-01-30T23:59:00.000Z', '2026-01-31T00:01:00.000Z', '2026-01-31T23:00:00.000Z'];
    const drafts = days.map((capturedAt) => createNewMemory({ capturedAt, chunks: ['one ', 'two'] }));
    await storage.insert('ann', ...drafts);
    await storage.insert('bob', createNewMemory({ capturedAt: '2026-01-31T12:00:00.000Z' }));
    const [first = '', second = '', third = ''] = drafts.map(({ memory }) => memory.id);
    equal(await statistics.saved('ann', '2026-01-31'), [{ day: '2026-01-31', saved: 2 }], 'since a day');
    await memories.trash('ann', third, CHANGE.now);
    equal((await statistics.saved('ann', '2026-01-30')).length, 2, 'days');
    equal((await statistics.saved('ann', '2026-01-31'))[0]?.saved, 1, 'without the trash');
    equal(await statistics.opened('ann', '2026-01-01'), [], 'none opened');
    const openedAt = '2026-02-01T08:00:00.000Z';
    await memories.update('ann', first, { openedAt, readState: 'read', progress: 1 }, CHANGE);
    await memories.update('ann', second, { openedAt, readState: 'reading', progress: 0.5 }, CHANGE);
    equal(
      await statistics.opened('ann', '2026-02-01'),
      [{ day: '2026-02-01', opened: 2, read: 1, chunks: 3 }],
      'opened',
    );
    equal(await statistics.opened('ann', '2026-02-02'), [], 'opened later');
    equal((await statistics.size('ann')).highlights, 0, 'highlights');
    equal((await statistics.size('ann')).textBytes > 0, true, 'bytes of texts');
    equal(await statistics.size('nobody'), { highlights: 0, textBytes: 0 }, 'of nobody');
  });
}
