import type { Core } from '@recollect/core';
import type { CaptureActivity } from './capture-activity.js';

/** How long after a round without work the next one looks, in milliseconds. */
const PAUSE = 5_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Scheduled jobs of one round. */
const JOBS = 100;
/**
 * Plugins are told of captures once none has come for a while, so that they do not share the machine with the next one;
 * while captures go on and on, a few events at a time, in milliseconds and events.
 */
const QUIET = { after: 250, slice: 20 };

export interface Background {
  /** Ends after what is at hand; leases are given back. */
  stop(): Promise<void>;
}

/** Logs a failure, with the name of the work. */
export type Report = (work: string, error: unknown) => void;

export interface BackgroundOptions {
  /** Whether indexing, scheduled jobs and events are worked off here; else that is left to cron. */
  runs: boolean;
  activity: CaptureActivity;
  report: Report;
  /** A sentence for whoever runs the server. */
  warn: (sentence: string) => void;
}

/**
 * What the server does without being asked: it empties the trash, makes embeddings, runs the jobs that are due and tells
 * plugins of captures. A round that fails is reported and the next one comes; a plugin that takes its time holds up no
 * other, since a round does not wait for the one before it.
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
    loops.push(makeEmbeddings(core, signal, report));
    loops.push(
      every(PAUSE, signal, () => start('run jobs', core.jobs.runDue({ limit: JOBS, signal }))),
      tellPlugins(core, signal, activity, start),
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
        `The clock is ${Math.floor(clockJump / DAY)} days past the last time that it was looked at. One of them counts towards emptying the trash, which waits.`,
      );
    }
    await pause(HOUR, signal);
  }
}

/** At the start, and so after a crash, memories that lack embeddings are queued. */
async function makeEmbeddings({ indexing }: Core, signal: AbortSignal, report: Report): Promise<void> {
  await pause(PAUSE, signal);
  await indexing.queueMissing().catch((error) => report('queue indexing', error));
  while (!signal.aborted) {
    const { pending } = await indexing.runDue({ signal }).catch((error) => {
      report('indexing', error);
      return { pending: 0 };
    });
    if (pending === 0) await pause(PAUSE, signal);
  }
}

async function tellPlugins(
  { events }: Core,
  signal: AbortSignal,
  { quietFor, takeAnnouncement }: CaptureActivity,
  start: (name: string, work: Promise<unknown>) => void,
): Promise<void> {
  const isQuiet = () => quietFor() >= QUIET.after;
  while (!signal.aborted) {
    // Those of other processes, and those whose time has come again, are announced by nobody.
    const until = performance.now() + PAUSE;
    let isAnnounced = false;
    while (!signal.aborted && performance.now() < until && !(isAnnounced && isQuiet())) {
      await pause(QUIET.after, signal);
      isAnnounced ||= takeAnnouncement();
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
