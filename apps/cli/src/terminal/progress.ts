import type { Status } from '@recollect/contract';
import { describeTime } from '@recollect/contract/text';
import { inert } from './output.js';

/** Milliseconds of work before a bar is shown, and between two of its states. */
const SHOW_AFTER = 1_000;
const PAUSE = 100;

/** Columns of the bar. */
const WIDTH = 20;

/** Goes to the beginning of the line and erases it. */
const ERASE = '\r\u001b[K';

/** A line that the terminal cuts at its edge, however wide its letters are. */
const unwrapped = (line: string) => `\u001b[?7l${line}\u001b[?7h`;

export interface Progress {
  /** How much of the whole is done. */
  update(done: number, message: string): void;
  /** Removes the bar, and prints the message in its place if there was one. */
  stop(message: string): void;
}

let isShown = false;

/**
 * A bar on standard error that appears once the work has taken over a second, and only on a terminal. It does not read
 * the keyboard, unlike the bar of the library that asks questions: Ctrl-C stops the command as it does without a bar,
 * and standard input is not read.
 */
export function showProgress(whole: number, isQuiet: boolean): Progress {
  const { stderr } = process;
  const canShow = !isQuiet && stderr.isTTY;
  const startedAt = performance.now();
  let shownAt = 0;
  let wasShown = false;

  return {
    update(done, message) {
      const now = performance.now();
      if (!canShow || now < startedAt + SHOW_AFTER || (isShown && now < shownAt + PAUSE)) return;
      const full = Math.round(WIDTH * Math.min(1, done / Math.max(1, whole)));
      const bar = `${'━'.repeat(full)}${'─'.repeat(WIDTH - full)}`;
      stderr.write(`${ERASE}${unwrapped(`${bar} ${inert(message).replace(/\s+/g, ' ')}`)}`);
      shownAt = now;
      isShown = true;
      wasShown = true;
    },
    stop(message) {
      hideProgress();
      if (wasShown && message !== '') stderr.write(`${message}\n`);
    },
  };
}

/** Removes a bar until its next update, so that something else can be printed. */
export function hideProgress(): void {
  if (isShown) process.stderr.write(ERASE);
  isShown = false;
}

/** @example describeTimeLeft(190) // 'about 3 minutes left' */
export function describeTimeLeft(seconds: number): string {
  return `about ${describeTime(seconds)} left`;
}

/** Who makes missing embeddings: the server, or the user with a command. */
export function describeBacklog(
  { latestJob, secondsLeft }: Pick<Status['embeddings'], 'latestJob' | 'secondsLeft'>,
  hasServer: boolean,
): string {
  const isWorking = hasServer && latestJob?.status === 'pending' && secondsLeft !== null;
  if (!isWorking) return 'Make the missing embeddings with: recollect reindex';
  return `The server makes the missing embeddings: ${describeTimeLeft(secondsLeft)}.`;
}
