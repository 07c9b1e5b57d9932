import type { StoreInspector, StoreProblem } from '@recollect/core';

/** Milliseconds between two looks. */
const PACE = 500;

/**
 * Writes to the log when the store stops accepting changes, why, and when it accepts them again.
 *
 * @returns a function that ends this
 */
export function announceProblems({ problem }: StoreInspector, log: (sentence: string) => void): () => void {
  let announced: string | null = null;
  const look = () => {
    const present = problem();
    const sentence = present === null ? null : describeProblem(present);
    if (sentence === announced) return;
    log(sentence ?? 'The store accepts changes again.');
    announced = sentence;
  };
  const timer = setInterval(look, PACE).unref();
  return () => clearInterval(timer);
}

/** A problem for the log and the terminal, which may name folders. */
export function describeProblem({ message, rescue }: StoreProblem): string {
  return typeof rescue === 'string' ? `${message} The copy: ${rescue}` : message;
}
