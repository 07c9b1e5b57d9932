import { expect, test } from 'vitest';
import { runClock } from '../dist/clock/run-clock.js';
import { runCommandKills } from '../dist/command-kills/run-command-kills.js';
import { mountDisk } from '../dist/disk/mount-disk.js';
import { runFullDisk } from '../dist/disk/run-full-disk.js';
import { runKills } from '../dist/kills/run-kills.js';

const canMount = () => {
  const disk = mountDisk(1);
  disk?.remove();
  return disk !== null;
};
/** Another one in each run. It is printed with a failure. */
const seed = Date.now() % 1_000_000;

test.skipIf(process.platform === 'win32')(
  'REL-2, REL-5: kills lose nothing, and a retry saves nothing twice',
  async () => {
    const { failures } = await runKills({ kills: 20, seed });
    expect([seed, failures]).toEqual([seed, []]);
  },
);

test.skipIf(process.platform === 'win32')(
  'REL-7, REL-8, REL-9: a command that is killed loses nothing, and can be repeated',
  async () => {
    expect([seed, await runCommandKills({ kills: 40, seed })]).toEqual([seed, { kills: 40, failures: [] }]);
  },
);

test.skipIf(!canMount())(
  'REL-4: a disk that fills up again and again (requires an account that may mount a tmpfs)',
  async () => {
    const report = await runFullDisk({ rounds: 2, seed });
    expect([seed, report?.failures]).toEqual([seed, []]);
  },
);

test.skipIf(process.platform === 'win32')('REL-12: starts at random days of twenty years empty no trash', async () => {
  expect([seed, await runClock({ starts: 20, seed })]).toEqual([seed, { starts: 20, failures: [] }]);
});
