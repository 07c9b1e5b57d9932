import type { Core } from '@recollect/core';

/** How long after a round without work the next one looks, in milliseconds. */
const PAUSE = 5_000;
const DAY = 86_400_000;

export interface Background {
  /** Ends after the chunks at hand; their lease is given back. */
  stop(): Promise<void>;
}

/**
 * Empties the trash while the server runs and, unless that is left to cron, works off indexing jobs. At the start, and
 * so after a crash, memories that lack embeddings are queued. A round that fails is reported and the next one comes.
 */
export function startBackground(
  { indexing, memories }: Core,
  { runsIndexing, report }: { runsIndexing: boolean; report: (error: unknown) => void },
): Background {
  const stopping = new AbortController();
  const { signal } = stopping;
  let purgedAt = 0;

  const round = async (): Promise<boolean> => {
    if (performance.now() - purgedAt > DAY || purgedAt === 0) {
      await memories.purge();
      purgedAt = performance.now();
    }
    return runsIndexing && (await indexing.runDue({ signal })).pending > 0;
  };

  const run = async () => {
    await pause(PAUSE, signal);
    if (runsIndexing) await indexing.queueMissing().catch(report);
    while (!signal.aborted) {
      const worked = await round().catch((error) => {
        report(error);
        return false;
      });
      if (!worked) await pause(PAUSE, signal);
    }
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
