import type { Core } from '@recollect/core';
import type { CaptureActivity } from './capture-activity.js';

/** Milliseconds to wait for new work before the next round. */
const PAUSE = 5_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Scheduled jobs per round. */
const JOBS_PER_ROUND = 100;
/**
 * Plugins are notified of captures `after` milliseconds without a new one, so that they do not compete with the next
 * capture. While captures keep coming, `slice` events are delivered at a time.
 */
const QUIET = { after: 250, slice: 20 };

export interface Background {
  /** Stops after the current work and releases the leases. */
  stop(): Promise<void>;
}

/** Logs a failure, with the name of the work. */
type Report = (work: string, error: unknown) => void;

export interface BackgroundOptions {
  /** Whether this process runs indexing, scheduled jobs and events. Otherwise cron does. */
  runs: boolean;
  activity: CaptureActivity;
  report: Report;
  /** Logs a sentence for the operator of the server. */
  warn: (sentence: string) => void;
}

/**
 * Starts the background work: emptying the trash, creating embeddings, running due jobs and notifying plugins of
 * captures. A failed round is reported, and the next one still runs. A slow plugin delays no other, because a round
 * does not wait for the previous one.
 */
export function startBackground(core: Core, { runs, activity, report, warn }: BackgroundOptions): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = new Set<Promise<unknown>>();

  const start = (name: string, work: Promise<unknown>) => {
    const done = work.catch((error) => report(name, error)).finally(() => working.delete(done));
    working.add(done);
  };
  const loops = [purgeHourly(core, signal, { report, warn })];
  if (runs) {
    loops.push(runIndexing(core, signal, report));
    loops.push(
      every(PAUSE, signal, () => start('run jobs', core.jobs.runDue({ limit: JOBS_PER_ROUND, signal }))),
      deliverEvents(core, signal, activity, start),
    );
  }

  return {
    async stop() {
      stopping.abort();
      await Promise.all([...loops, ...working]);
    },
  };
}

async function purgeHourly(
  { memories }: Core,
  signal: AbortSignal,
  { report, warn }: Pick<BackgroundOptions, 'report' | 'warn'>,
): Promise<void> {
  await pause(PAUSE, signal);
  while (!signal.aborted) {
    const { clockJump } = await memories.purge().catch((error) => {
      report('purge', error);
      return { clockJump: 0 };
    });
    if (clockJump > 0) {
      warn(
        `The clock is ${Math.floor(clockJump / DAY)} days ahead of its last reading. Only one of them counts for the trash, which is not emptied now.`,
      );
    }
    await pause(HOUR, signal);
  }
}

/**
 * Runs due indexing jobs. At startup it queues memories that lack embeddings, which covers those left by a crash, and every hour
 * those whose embeddings another process has removed.
 */
async function runIndexing({ indexing }: Core, signal: AbortSignal, report: Report): Promise<void> {
  const removeFormer = () =>
    indexing.removeFormer({ signal }).catch((error) => report('remove former embeddings', error));
  await pause(PAUSE, signal);
  await indexing.queueMissing().catch((error) => report('queue indexing', error));
  await removeFormer();
  let nextLook = performance.now() + HOUR;
  while (!signal.aborted) {
    const { jobs, pending } = await indexing.runDue({ signal }).catch((error) => {
      report('indexing', error);
      return { jobs: 0, pending: 0 };
    });
    if (pending > 0) continue;
    const isHourly = performance.now() > nextLook;
    if (isHourly) {
      await indexing.queueMissing({ keepsOpenJobs: true }).catch((error) => report('queue indexing', error));
      nextLook = performance.now() + HOUR;
    }
    // Hourly too, because the last batch may have been run by a request.
    if (jobs > 0 || isHourly) await removeFormer();
    await pause(PAUSE, signal);
  }
}

async function deliverEvents(
  { events }: Core,
  signal: AbortSignal,
  { quietFor, consumeAnnouncement }: CaptureActivity,
  start: (name: string, work: Promise<unknown>) => void,
): Promise<void> {
  const isQuiet = () => quietFor() >= QUIET.after;
  while (!signal.aborted) {
    // Captures of other processes and due retries are not announced, so the wait is limited.
    const until = performance.now() + PAUSE;
    let isAnnounced = false;
    while (!signal.aborted && performance.now() < until && !(isAnnounced && isQuiet())) {
      await pause(QUIET.after, signal);
      isAnnounced ||= consumeAnnouncement();
    }
    let left = isQuiet() ? Number.POSITIVE_INFINITY : QUIET.slice;
    const shouldContinue = () => {
      left -= 1;
      return left >= 0 && (left < QUIET.slice || isQuiet());
    };
    if (!signal.aborted) start('deliver events', events.deliver({ signal, shouldContinue }));
  }
}

async function every(milliseconds: number, signal: AbortSignal, begin: () => void): Promise<void> {
  while (!signal.aborted) {
    await pause(milliseconds, signal);
    if (!signal.aborted) begin();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
