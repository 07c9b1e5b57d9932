import { runClock } from './clock/run-clock.js';
import { runCommandKills } from './command-kills/run-command-kills.js';
import { runFullDisk } from './disk/run-full-disk.js';
import { runFlips } from './flips/run-flips.js';
import { runKills } from './kills/run-kills.js';
import { runPowerCuts } from './power-cuts/run-power-cuts.js';
import { runTextFile } from './text-file/run-text-file.js';

/** The result of a kind of torture: its counts and its failures. */
interface Result {
  counts: Readonly<Record<string, unknown>>;
  failures: readonly string[];
}

/** The kinds by name, with the number of rounds that is used unless another one is typed. */
const KINDS: Readonly<
  Record<string, { rounds: number; run: (rounds: number, seed: number) => Promise<Result | null> }>
> = {
  'power-cuts': {
    rounds: 1_000,
    async run(cuts, seed) {
      const { failures } = await runPowerCuts({ cuts, seed });
      // The tool must find what a store loses that does not sync its commits.
      const careless = await runPowerCuts({ cuts: Math.min(cuts, 100), seed, writer: 'careless-process' });
      const blind = careless.failures.length === 0 ? ['The self-check with synchronous=NORMAL found no loss.'] : [];
      return {
        counts: { cuts, 'self-check': `${careless.failures.length} of ${careless.cuts} lost` },
        failures: [...failures, ...blind],
      };
    },
  },
  kills: {
    rounds: 1_000,
    async run(kills, seed) {
      const { failures, acknowledged, readyAfter } = await runKills({ kills, seed });
      const at = (share: number) => `${Math.round(readyAfter[Math.floor(readyAfter.length * share)] ?? 0)} ms`;
      return { counts: { kills, acknowledged, 'ready, median': at(0.5), 'ready, p95': at(0.95) }, failures };
    },
  },
  'command-kills': {
    rounds: 400,
    async run(kills, seed) {
      const { failures } = await runCommandKills({ kills, seed });
      return { counts: { kills }, failures };
    },
  },
  flips: {
    rounds: 1_000,
    async run(flips, seed) {
      const { failures, outcomes } = await runFlips({ flips, seed });
      return { counts: { flips, ...outcomes }, failures };
    },
  },
  'text-file': {
    rounds: 500,
    async run(damages, seed) {
      const { used, failures } = await runTextFile({ damages, seed });
      return { counts: { damages, used }, failures };
    },
  },
  'full-disk': {
    rounds: 100,
    async run(rounds, seed) {
      const report = await runFullDisk({ rounds, seed });
      return report && { counts: { rounds, rejected: report.rejected }, failures: report.failures };
    },
  },
  clock: {
    rounds: 100,
    async run(starts, seed) {
      const { failures } = await runClock({ starts, seed });
      return { counts: { starts }, failures };
    },
  },
};

const words = process.argv.slice(2);
const [given, seed] = words.filter((word) => /^\d+$/.test(word)).map(Number);
const names = words.filter((word) => !/^\d+$/.test(word));
const unknown = names.find((name) => KINDS[name] === undefined);
if (unknown !== undefined) {
  console.error(`Unknown kind ${unknown}. Use ${Object.keys(KINDS).join(', ')}, or none for all.`);
  process.exit(2);
}

let failed = 0;
for (const name of names.length === 0 ? Object.keys(KINDS) : names) {
  const kind = KINDS[name];
  if (kind === undefined) continue;
  const began = performance.now();
  const result = await kind.run(given ?? kind.rounds, seed ?? 1);
  if (result === null) {
    console.log(`${name}: skipped, because this account may not mount a file system`);
    continue;
  }
  const { counts, failures } = result;
  const shown = Object.entries(counts).map(([what, count]) => `${what} ${count}`);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${name}: ${shown.join(', ')}; ${failures.length} failed; ${seconds} s`);
  for (const failure of failures) console.log(`  ${failure}`);
  failed += failures.length;
}
process.exitCode = failed === 0 ? 0 : 1;
