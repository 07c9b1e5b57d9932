import type { Statistics } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import type { CorePorts } from './ports/core-ports.js';

/** Returns what a user saved and read. */
export type StatisticsUseCase = (userId: string) => Promise<Statistics>;

const { weeks: WEEKS, months: MONTHS, values: VALUES, keptMs } = limits.statistics;
const DAY_MS = 86_400_000;
const DAY = 'yyyy-mm-dd'.length;
/** A chunk has about 150 words, of which people read 230 a minute. */
const MINUTES_PER_CHUNK = 150 / 230;
/** Users whose statistics are kept. */
const MAX_KEPT = 100;

type StatisticsPorts = Pick<CorePorts, 'memories' | 'statistics' | 'changes' | 'clock'>;

/**
 * Makes the use case of statistics. An answer is kept until a memory changes, and for a minute at most, since reading
 * on is not in the change sequence.
 *
 * @example
 * const statistics = createStatistics({ ...storage, clock: systemClock });
 * const { weeks } = await statistics('local');
 */
export function createStatistics(ports: StatisticsPorts): StatisticsUseCase {
  const kept = new Map<string, { sequence: number; until: number; answer: Promise<Statistics> }>();
  return async (userId) => {
    const now = ports.clock.now();
    const sequence = await ports.changes.latest(userId);
    const known = kept.get(userId);
    if (known?.sequence === sequence && now.getTime() < known.until) return known.answer;
    const answer = compute(ports, userId, now);
    kept.delete(userId);
    kept.set(userId, { sequence, until: now.getTime() + keptMs, answer });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    answer.catch(() => kept.delete(userId));
    return answer;
  };
}

async function compute({ memories, statistics }: StatisticsPorts, userId: string, now: Date): Promise<Statistics> {
  const mondays = lastMondays(now, WEEKS);
  const since = mondays[0] ?? '';
  const [counts, saved, opened, size] = await Promise.all([
    memories.counts(userId, {}, limits.memories.counts),
    statistics.saved(userId, since),
    statistics.opened(userId, since),
    statistics.size(userId),
  ]);
  const savedIn = Map.groupBy(saved, ({ day }) => mondayOf(day));
  const openedIn = Map.groupBy(opened, ({ day }) => mondayOf(day));
  return {
    memories: counts.total,
    ...size,
    weeks: mondays.map((week) => {
      const days = openedIn.get(week) ?? [];
      return {
        week,
        saved: sum(savedIn.get(week) ?? [], (day) => day.saved),
        opened: sum(days, (day) => day.opened),
        read: sum(days, (day) => day.read),
        minutes: Math.round(sum(days, (day) => day.chunks) * MINUTES_PER_CHUNK),
      };
    }),
    months: growthOf(counts.months.slice(0, MONTHS), counts.total),
    sites: counts.sites.slice(0, VALUES),
    tags: counts.tags.slice(0, VALUES),
  };
}

/** The months, newest first, as a growth that ends with the present number. */
function growthOf(months: readonly { value: string; count: number }[], memories: number): Statistics['months'] {
  let total = memories;
  const growth = months.map(({ value: month, count: saved }) => {
    const entry = { month, saved, total };
    total -= saved;
    return entry;
  });
  return growth.reverse();
}

/** The Mondays of the latest weeks, oldest first, as dates in UTC. */
function lastMondays(now: Date, count: number): string[] {
  const last = Date.parse(mondayOf(now.toISOString().slice(0, DAY)));
  return Array.from({ length: count }, (_, at) => dayOf(last - (count - 1 - at) * 7 * DAY_MS));
}

/** @example mondayOf('2026-12-06') // '2026-11-30' */
function mondayOf(day: string): string {
  const time = Date.parse(day);
  return dayOf(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS);
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, DAY);
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
