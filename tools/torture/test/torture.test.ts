import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runFlips } from '../dist/flips/run-flips.js';
import { runPowerCuts } from '../dist/power-cuts/run-power-cuts.js';
import { runTextFile } from '../dist/text-file/run-text-file.js';

const hasStrace = spawnSync('strace', ['-qq', 'true']).status === 0;
/** Rounds of each kind: more in the long suite. */
const rounds = (few: number) => (process.env.LONG === '1' ? 10 * few : few);
/** In the long suite, another one in each run. It is printed with a failure. */
const seed = process.env.LONG === '1' ? Date.now() % 1_000_000 : 20_261_124;

test.skipIf(!hasStrace)('REL-1: power cuts lose nothing (requires strace: apt-get install strace)', async () => {
  expect([seed, await runPowerCuts({ cuts: rounds(15), seed, memories: 15 })]).toEqual([
    seed,
    { cuts: rounds(15), failures: [] },
  ]);
});

test.skipIf(!hasStrace)(
  'REL-1: power cuts find what synchronous=NORMAL loses (requires strace)',
  { tags: 'long' },
  async () => {
    const { failures } = await runPowerCuts({ cuts: 25, seed, memories: 15, writer: 'careless-process' });
    expect(failures.length).toBeGreaterThan(0);
  },
);

test('REL-6: no flipped bit crashes or hangs the service', { tags: 'long' }, async () => {
  const { failures } = await runFlips({ flips: 40, seed });
  expect([seed, failures]).toEqual([seed, []]);
});

test('REL-28: a damaged file of the words changes no result', { tags: 'long' }, async () => {
  const { failures } = await runTextFile({ damages: 60, seed });
  expect([seed, failures]).toEqual([seed, []]);
});
