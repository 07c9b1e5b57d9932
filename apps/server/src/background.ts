import { type Core, RecollectError } from '@recollect/core';
import type { CaptureActivity } from './capture-activity.js';
import { checkIntegrity } from './check-integrity.js';
import { createPace, type Machine } from './pace.js';

/** Milliseconds to wait for new work before the next round. */
const PAUSE = 5_000;
/** Milliseconds between two writes of errors, and after one that failed. */
const ERRORS = { pause: 1_000, retry: 60_000 };
const MINUTE = 60_000;
const SOON = 10 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Memories that indexing embeds before it looks at what is left. */
const BATCH = 256;
/** Scheduled jobs per round. */
const JOBS_PER_ROUND = 100;
/**
 * Plugins are notified of captures `after` milliseconds without a new one, so that they do not compete with the next
 * capture. While captures keep coming, `slice` events are delivered at a time.
 */
const QUIET = { after: 250, slice: 20 };
/** Milliseconds without a capture from which on the text index is merged. */
const MERGE_AFTER = 30_000;
/** Milliseconds between two steps of work that is done while no captures arrive. */
const STEP_PAUSE = 50;

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
  /** The machine whose load slows indexing down; this machine by default. */
  machine?: Machine | undefined;
}

/**
 * Starts the background work: emptying the trash, creating embeddings, running due jobs and notifying plugins of
 * captures. A failed round is reported, and the next one still runs. A slow plugin delays no other, because a round
 * does not wait for the previous one.
 */
export function startBackground(core: Core, { runs, activity, report, warn, machine }: BackgroundOptions): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = new Set<Promise<unknown>>();

  const start = (name: string, work: Promise<unknown>) => {
    const done = work.catch((error) => report(name, error)).finally(() => working.delete(done));
    working.add(done);
  };
  const loops = [
    purgeHourly(core, signal, { report, warn }),
    forgetWords(core, signal, { quietFor: activity.quietFor, report }),
    makeBackups(core, signal, { report, warn }),
    writeErrors(core, signal),
    mergeText(core, signal, { quietFor: activity.quietFor, report }),
    checkIntegrity(core, signal, {
      quietFor: activity.quietFor,
      warn,
      report,
      pause: (milliseconds) => pause(milliseconds, signal),
    }),
  ];
  if (runs) {
    loops.push(runIndexing(core, signal, { report, pace: createPace(machine) }));
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

/**
 * Writes the errors that occurred, many at once. What cannot be written stays in memory, and no error is reported: it
 * would be the next.
 */
async function writeErrors({ errors }: Core, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(ERRORS.pause, signal);
    if (!(await errors.flush())) await pause(ERRORS.retry, signal);
  }
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
    // A machine that sleeps for days may be awake for less than an hour.
    await pause(clockJump > 0 ? SOON : HOUR, signal);
  }
}

/** Forgets the words of deleted texts, while no captures arrive. */
async function forgetWords(
  { indexing }: Core,
  signal: AbortSignal,
  { quietFor, report }: Pick<CaptureActivity, 'quietFor'> & Pick<BackgroundOptions, 'report'>,
): Promise<void> {
  const rest = async () => {
    do await pause(STEP_PAUSE, signal);
    while (!signal.aborted && quietFor() < QUIET.after);
  };
  await pause(PAUSE, signal);
  while (!signal.aborted) {
    await indexing.forgetWords({ signal, rest }).catch((error) => reportUnlessRefused(report, 'forget words', error));
    await pause(HOUR, signal);
  }
}

/** Makes the backups that are due, and looks once a minute. */
async function makeBackups(
  { backups }: Core,
  signal: AbortSignal,
  { report, warn }: Pick<BackgroundOptions, 'report' | 'warn'>,
): Promise<void> {
  await pause(PAUSE, signal);
  while (!signal.aborted) {
    await backups.runDue({ signal }).catch((error) => {
      if (signal.aborted) return;
      if (error instanceof RecollectError) warn(`An automatic backup failed, and will be retried. ${error.message}`);
      else report('backup', error);
    });
    await pause(MINUTE, signal);
  }
}

/**
 * Runs due indexing jobs. At startup it queues memories that lack embeddings, which covers those left by a crash, and
 * every hour those whose embeddings another process has removed.
 */
async function runIndexing(
  { indexing }: Core,
  signal: AbortSignal,
  { report, pace }: Pick<BackgroundOptions, 'report'> & { pace: (worked: number) => Promise<number> },
): Promise<void> {
  const rest = async (worked: number) => pause(await pace(worked), signal);
  const removePrevious = () =>
    indexing.removePrevious({ signal }).catch((error) => report('remove previous embeddings', error));
  await pause(PAUSE, signal);
  await indexing.queueMissing().catch((error) => report('queue indexing', error));
  await removePrevious();
  let nextLook = performance.now() + HOUR;
  while (!signal.aborted) {
    const { jobs, pending } = await indexing.runDue({ signal, rest, batchSize: BATCH }).catch((error) => {
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
    if (jobs > 0 || isHourly) await removePrevious();
    await pause(PAUSE, signal);
  }
}

/** A store that accepts no changes is reported elsewhere. */
function reportUnlessRefused(report: BackgroundOptions['report'], name: string, error: unknown): void {
  if (!(error instanceof RecollectError)) report(name, error);
}

/**
 * Merges the text index while no captures arrive. At 100,000 chunks, this cut the time of searches by word by a fifth.
 */
async function mergeText(
  { indexing }: Core,
  signal: AbortSignal,
  { quietFor, report }: Pick<CaptureActivity, 'quietFor'> & Pick<BackgroundOptions, 'report'>,
): Promise<void> {
  while (!signal.aborted) {
    await pause(MINUTE, signal);
    let hasMore = true;
    while (hasMore && !signal.aborted && quietFor() > MERGE_AFTER) {
      hasMore = await indexing.mergeText().catch((error) => {
        reportUnlessRefused(report, 'merge the text index', error);
        return false;
      });
      await pause(STEP_PAUSE, signal);
    }
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
