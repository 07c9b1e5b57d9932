import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runClock } from '../dist/clock/run-clock.js';
import { runCommandKills } from '../dist/command-kills/run-command-kills.js';
import { mountDisk } from '../dist/disk/mount-disk.js';
import { runFullDisk } from '../dist/disk/run-full-disk.js';
import { runFlips } from '../dist/flips/run-flips.js';
import { runKills } from '../dist/kills/run-kills.js';
import { runPowerCuts } from '../dist/power-cuts/run-power-cuts.js';

const hasStrace = spawnSync('strace', ['-qq', 'true']).status === 0;
const canMount = () => {
  const disk = mountDisk(1);
  disk?.remove();
  return disk !== null;
};
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

test.skipIf(!hasStrace)('REL-1: power cuts find what synchronous=NORMAL loses (requires strace)', async () => {
  const { failures } = await runPowerCuts({ cuts: 25, seed, memories: 15, writer: 'careless-process' });
  expect(failures.length).toBeGreaterThan(0);
});

test.skipIf(process.platform === 'win32')(
  'REL-2, REL-5: kills lose nothing, and a retry saves nothing twice',
  async () => {
    const { failures } = await runKills({ kills: rounds(2), seed });
    expect([seed, failures]).toEqual([seed, []]);
  },
);

test.skipIf(process.platform === 'win32')(
  'REL-7, REL-8, REL-9: a command that is killed loses nothing, and can be repeated',
  async () => {
    expect([seed, await runCommandKills({ kills: rounds(4), seed })]).toEqual([
      seed,
      { kills: rounds(4), failures: [] },
    ]);
  },
);

test('REL-6: no flipped bit crashes or hangs the service', async () => {
  const { failures } = await runFlips({ flips: rounds(4), seed });
  expect([seed, failures]).toEqual([seed, []]);
});

test.skipIf(!canMount())(
  'REL-4: a disk that fills up again and again (requires an account that may mount a tmpfs)',
  async () => {
    const report = await runFullDisk({ rounds: 2, seed });
    expect([seed, report?.failures]).toEqual([seed, []]);
  },
);

test.skipIf(process.platform === 'win32')('REL-12: starts at random days of twenty years empty no trash', async () => {
  expect([seed, await runClock({ starts: 2, seed })]).toEqual([seed, { starts: 2, failures: [] }]);
});
