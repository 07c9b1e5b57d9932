import type { Sample } from './sample-process.js';
import { quantile, slope } from './statistics.js';
import type { Tally } from './tally.js';

export interface Result {
  minutes: number;
  sent: number;
  turnedAway: number;
  leftOut: number;
  restarts: number;
  backups: number;
  memories: number;
  errors: Record<string, number>;
  /** Answers, and final contents, that contradict what was acknowledged. */
  lost: string[];
  kinds: { kind: string; count: number; p50: number; p99: number }[];
  /** One row for each start of the server. */
  lives: { life: number; residentMb: number; residentSlope: number; heapMb: number; descriptors: number | null }[];
  samples: Sample[];
}

/**
 * Sums up a run. The resident memory of a life is its median, and its slope is in MB a minute, without the first fifth.
 */
export function summarise(
  tally: Tally,
  samples: Sample[],
  more: Pick<Result, 'minutes' | 'leftOut' | 'backups' | 'restarts' | 'memories' | 'lost'>,
): Result {
  const lives = [...new Set(samples.map(({ life }) => life))].map((life) => {
    const own = samples.filter((sample) => sample.life === life);
    const settled = own.slice(Math.floor(own.length / 5));
    const points = settled.map(({ minute, residentMb }) => ({ x: minute, y: residentMb }));
    return {
      life,
      residentMb: quantile(
        own.map(({ residentMb }) => residentMb),
        0.5,
      ),
      residentSlope: slope(points),
      heapMb: quantile(
        own.map(({ heapMb }) => heapMb),
        0.5,
      ),
      descriptors: own.reduce<number | null>(
        (most, { descriptors }) => Math.max(most ?? 0, descriptors ?? 0) || null,
        null,
      ),
    };
  });
  const kinds = [...tally.times].map(([kind, times]) => ({
    kind,
    count: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }));
  return {
    ...more,
    sent: tally.sent,
    turnedAway: tally.turnedAway,
    errors: Object.fromEntries(tally.errors),
    kinds: kinds.toSorted((a, b) => b.count - a.count),
    lives,
    samples,
  };
}

/** The result as text for people. */
export function printResult(result: Result): string {
  const errors = Object.entries(result.errors);
  const rows = (header: string[], cells: (string | number)[][]) =>
    [header, ...cells].map(
      ([first = '', ...rest]) => `${String(first).padEnd(26)}${rest.map((cell) => String(cell).padStart(12)).join('')}`,
    );
  return [
    `${result.minutes} minutes, ${result.sent} requests, ${result.restarts} restarts, ${result.backups} backups, ${result.memories} memories`,
    `${result.turnedAway} requests were turned away during restarts, ${result.leftOut} were left out because too many were open`,
    '',
    ...rows(
      ['request', 'count', 'p50 ms', 'p99 ms'],
      result.kinds.map(({ kind, count, p50, p99 }) => [kind, count, p50.toFixed(1), p99.toFixed(1)]),
    ),
    '',
    ...rows(
      ['start of the server', 'RSS MB', 'MB a minute', 'heap MB', 'descriptors'],
      result.lives.map((one) => [
        one.life,
        one.residentMb.toFixed(0),
        one.residentSlope.toFixed(1),
        one.heapMb.toFixed(0),
        one.descriptors ?? 'unknown',
      ]),
    ),
    '',
    `Error answers: ${errors.length === 0 ? 'none' : ''}`,
    ...errors.map(([name, count]) => `  ${count} × ${name}`),
    `Lost: ${result.lost.length === 0 ? 'nothing' : result.lost.length}`,
    ...result.lost.slice(0, 20).map((sentence) => `  ${sentence}`),
  ].join('\n');
}
