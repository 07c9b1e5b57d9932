/** Milliseconds of computing after which other work of the event loop gets a turn. */
const TURN_MS = 10;

/** Lets other work go first if the caller has computed for long. */
export type GiveTurn = () => Promise<void>;

/**
 * Makes the function that a long computation calls between its short steps.
 *
 * @example
 * const giveTurn = giveTurns();
 * for (const text of ['one', 'two']) {
 *   text.normalize();
 *   await giveTurn();
 * }
 */
export function giveTurns(): GiveTurn {
  let until = performance.now() + TURN_MS;
  return async () => {
    if (performance.now() < until) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    until = performance.now() + TURN_MS;
  };
}
