import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inParallel } from '../src/runners/in-parallel.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('starts nothing after a failure, and rejects only when the work in progress has ended', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      async (width, fails) => {
        let atWork = 0;
        let most = 0;
        let hasFailed = false;
        let begunAfter = 0;
        const done = inParallel(fails, width, async (isFailing) => {
          atWork += 1;
          most = Math.max(most, atWork);
          begunAfter += hasFailed ? 1 : 0;
          await turn();
          if (isFailing) {
            hasFailed = true;
            atWork -= 1;
            throw new Error('failed');
          }
          await turn();
          atWork -= 1;
        });
        if (fails.includes(true)) await expect(done).rejects.toThrow('failed');
        else await done;
        expect([atWork, begunAfter]).toEqual([0, 0]);
        expect(most).toBeLessThanOrEqual(width);
      },
    ),
  );
});
