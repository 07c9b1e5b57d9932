import { progress } from '@clack/prompts';

/** Milliseconds of work before a bar is shown. */
const SHOW_AFTER = 1_000;

export interface Progress {
  /** How much of the whole is done. */
  update(done: number, message: string): void;
  stop(message: string): void;
}

/** A bar on standard error that appears once the work has taken over a second, and only on a terminal. */
export function showProgress(whole: number, isQuiet: boolean): Progress {
  let bar: ReturnType<typeof progress> | null = null;
  let shown = 0;
  const startedAt = performance.now();
  const canShow = !isQuiet && process.stderr.isTTY;
  return {
    update(done, message) {
      if (!canShow || performance.now() - startedAt < SHOW_AFTER) return;
      if (bar === null) {
        bar = progress({ max: Math.max(1, whole), style: 'heavy', output: process.stderr });
        bar.start(message);
      }
      bar.advance(done - shown, message);
      shown = done;
    },
    stop(message) {
      bar?.stop(message);
    },
  };
}
