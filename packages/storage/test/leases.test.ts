import { openStorage } from '@recollect/storage';
import { expect, test } from 'vitest';

test('REL-12: times leases by their own clock, and ends them all when that clock restarts', async () => {
  let now = 1_000_000;
  const storage = await openStorage({ url: 'sqlite::memory:', ticks: () => now });
  try {
    const { leases, indexingJobs } = storage;
    const first = await leases.claim('ann', 'work', 30_000);
    const indexing = await indexingJobs.claim('ann', 30_000);
    now += 29_999;
    expect(await leases.claim('ann', 'work', 30_000)).toBeNull();
    expect(await indexingJobs.claim('ann', 30_000)).toBeNull();
    now += 1;
    const second = await leases.claim('ann', 'work', 30_000);
    expect(second?.fence).toBe((first?.fence ?? 0) + 1);
    expect((await indexingJobs.claim('ann', 30_000))?.fence).toBe((indexing?.fence ?? 0) + 1);

    now = 5;
    const third = await leases.claim('ann', 'work', 30_000);
    expect(third?.fence).toBe((second?.fence ?? 0) + 1);
    if (second === null || third === null) throw new Error('There is no lease.');
    expect(await leases.renew(second, 30_000)).toBe(false);
    expect(await leases.renew(third, 30_000)).toBe(true);
  } finally {
    await storage.close();
  }
});
