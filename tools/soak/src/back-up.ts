import { setTimeout as sleep } from 'node:timers/promises';
import type { Restarts } from './run-load.js';
import { BACKUPS, isOk, type Send } from './send.js';
import type { Tally } from './tally.js';

/** Milliseconds between two backups. */
const PAUSE = 60_000;

/**
 * Makes a backup every minute until the signal aborts, if the server's interface has backups. Returns how many were
 * made.
 */
export async function backUp(send: Send, tally: Tally, restarts: Restarts, signal: AbortSignal): Promise<number> {
  const { body } = await send('GET', '/openapi.json');
  if (body?.paths?.[BACKUPS]?.post === undefined) return 0;
  let made = 0;
  for (;;) {
    await sleep(PAUSE, undefined, { signal }).catch(() => {});
    if (signal.aborted) return made;
    const [wasRestarting, count, startedAt] = [restarts.isRestarting(), restarts.count(), performance.now()];
    const answer = await send('POST', BACKUPS);
    if (isOk(answer)) made += 1;
    const sawRestart = wasRestarting || restarts.isRestarting() || restarts.count() !== count;
    tally.record('backup', answer, performance.now() - startedAt, sawRestart);
  }
}
