import { setTimeout as sleep } from 'node:timers/promises';
import type { Restarts } from './run-load.js';
import type { ServerProcess } from './server-process.js';

/** The most minutes between two restarts. Short runs restart twice. */
const INTERVAL = 5;

export interface Restarter extends Restarts {
  /** Restarts the server until the signal aborts, in turns by SIGTERM and by SIGKILL. */
  run(signal: AbortSignal): Promise<void>;
}

export function createRestarter(server: ServerProcess, minutes: number): Restarter {
  const pause = Math.min(INTERVAL, minutes / 3) * 60_000;
  let count = 0;
  let isRestarting = false;
  return {
    count: () => count,
    isRestarting: () => isRestarting,
    async run(signal) {
      for (;;) {
        await sleep(pause, undefined, { signal }).catch(() => {});
        if (signal.aborted) return;
        isRestarting = true;
        count += 1;
        const name = count % 2 === 1 ? 'SIGTERM' : 'SIGKILL';
        const code = await server.stop(name);
        if (name === 'SIGTERM' && code !== 0) throw new Error(`After SIGTERM the server exited with ${code}.`);
        await server.start();
        isRestarting = false;
      }
    },
  };
}
