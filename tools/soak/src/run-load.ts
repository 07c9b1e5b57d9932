import { setTimeout as sleep } from 'node:timers/promises';
import { pickKind } from './kinds/index.js';
import type { Context } from './kinds/kind.js';
import type { Tally } from './tally.js';

/** Requests a second, and requests that may wait for their answer at once: the server takes 256 connections. */
const RATE = 50;
const MAX_OPEN_REQUESTS = 200;

/** Counts the restarts, so that a request knows whether one happened while it was open. */
export interface Restarts {
  isRestarting(): boolean;
  count(): number;
}

/**
 * Sends requests at a fixed rate until the signal aborts, whether or not the earlier ones were answered, and then waits
 * for all answers. Returns how many requests were left out because too many were open.
 */
export async function runLoad(
  context: Context,
  tally: Tally,
  restarts: Restarts,
  signal: AbortSignal,
): Promise<number> {
  const open = new Set<Promise<void>>();
  let leftOut = 0;
  const begin = performance.now();
  for (let at = 0; !signal.aborted; at++) {
    const wait = begin + (at * 1_000) / RATE - performance.now();
    if (wait > 1) await sleep(wait);
    if (open.size >= MAX_OPEN_REQUESTS) {
      leftOut += 1;
      continue;
    }
    const request = sendOne(context, tally, restarts).finally(() => open.delete(request));
    open.add(request);
  }
  await Promise.all(open);
  return leftOut;
}

async function sendOne(context: Context, tally: Tally, { isRestarting, count }: Restarts): Promise<void> {
  const kind = pickKind();
  const [wasRestarting, before, startedAt] = [isRestarting(), count(), performance.now()];
  const answer = await kind.run(context);
  if (answer === null) return;
  const sawRestart = wasRestarting || isRestarting() || count() !== before;
  tally.record(kind.name, answer, performance.now() - startedAt, sawRestart);
}
