import type { Core } from '@recollect/core';

/** Milliseconds: after the start, between two batches, and between two looks at whether a week has passed. */
const PAUSE = { start: 60_000, batch: 10_000, round: 3_600_000 };
/** A batch waits until no capture has arrived for so long. */
const QUIET = 1_000;

export interface IntegrityOptions {
  /** Milliseconds since the last capture. */
  quietFor: () => number;
  /** Logs a sentence for the operator of the server. */
  warn: (sentence: string) => void;
  report: (work: string, error: unknown) => void;
  pause: (milliseconds: number) => Promise<void>;
}

/**
 * Looks for damage while the server runs: once the structure of the files, and every week each memory, in small batches
 * while no captures arrive.
 */
export async function checkIntegrity(
  { checkStructure, scrub }: Pick<Core, 'scrub' | 'checkStructure'>,
  signal: AbortSignal,
  { quietFor, warn, report, pause }: IntegrityOptions,
): Promise<void> {
  await pause(PAUSE.start);
  if (signal.aborted) return;
  const problems = await checkStructure(signal).catch((error) => {
    report('check the structure of the store', error);
    return [];
  });
  if (problems.length > 0) warn(`The store file is damaged: ${problems.join('; ')}. No more changes are accepted.`);
  while (!signal.aborted) {
    if (quietFor() < QUIET) {
      await pause(QUIET);
      continue;
    }
    const { damaged, isDone } = await scrub().catch((error) => {
      report('check memories', error);
      return { damaged: [], isDone: true };
    });
    for (const { id } of damaged)
      warn(`The memory ${id} does not match its checksum: the disk has changed part of it.`);
    await pause(isDone ? PAUSE.round : PAUSE.batch);
  }
}
