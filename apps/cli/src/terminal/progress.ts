/** Milliseconds of work before a bar is shown. */
const SHOW_AFTER = 1_000;

export interface Progress {
  /** How much of the whole is done. */
  update(done: number, message: string): void;
  stop(message: string): void;
}

type Bar = ReturnType<typeof import('@clack/prompts').progress>;

/** A bar on standard error that appears once the work has taken over a second, and only on a terminal. */
export function showProgress(whole: number, isQuiet: boolean): Progress {
  const canShow = !isQuiet && process.stderr.isTTY;
  const startedAt = performance.now();
  let latest = { done: 0, message: '' };
  let shown = 0;
  let bar: Bar | 'loading' | null = null;
  let hasStopped = false;

  const advance = (to: Bar) => {
    to.advance(latest.done - shown, latest.message);
    shown = latest.done;
  };
  /** Loaded on demand: most commands end before a bar would appear. */
  const start = async () => {
    const { progress } = await import('@clack/prompts');
    if (hasStopped) return;
    bar = progress({ max: Math.max(1, whole), style: 'heavy', output: process.stderr });
    bar.start(latest.message);
    advance(bar);
  };

  return {
    update(done, message) {
      if (!canShow || performance.now() - startedAt < SHOW_AFTER) return;
      latest = { done, message };
      if (bar === null) {
        bar = 'loading';
        void start();
      } else if (bar !== 'loading') advance(bar);
    },
    stop(message) {
      hasStopped = true;
      if (bar !== null && bar !== 'loading') bar.stop(message);
    },
  };
}
