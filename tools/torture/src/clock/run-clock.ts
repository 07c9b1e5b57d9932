import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLedger } from '../kills/ledger.js';
import { createRandom } from '../random.js';
import { request } from '../request.js';
import { startServer } from '../server-process.js';

export interface ClockReport {
  starts: number;
  failures: string[];
}

/** Days of the largest jump: ten years. */
const MAX_JUMP_DAYS = 3_650;
const shiftClock = new URL('./shift-clock.js', import.meta.url).href;

/**
 * Starts a server with the clock set to random days of twenty years. The trash is not emptied, and everything is found.
 */
export async function runClock({ starts, seed }: { starts: number; seed: number }): Promise<ClockReport> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'recollect-clock-'));
  const ledger = createLedger();
  const failures: string[] = [];
  let deleted: string | null = null;
  try {
    for (let start = 0; start < starts; start++) {
      const days = random.below(2 * MAX_JUMP_DAYS) - MAX_JUMP_DAYS;
      const server = await startServer(folder, { NODE_OPTIONS: `--import=${shiftClock}`, SHIFT_DAYS: String(days) });
      const { address } = server;
      if (deleted === null) {
        const { body } = await request(address, 'POST', '/api/v1/capture', { pageText: 'In the trash.' });
        deleted = body.captures[0].id as string;
        await request(address, 'DELETE', `/api/v1/memories/${deleted}`);
      }
      // With its Idempotency-Key, a capture looks at the clock.
      await ledger.capture(address);
      failures.push(...(await ledger.check(address)));
      const { body } = await request(address, 'GET', '/api/v1/trash');
      if (body.memories[0]?.id !== deleted)
        failures.push(`the trash was emptied with the clock shifted by ${days} days`);
      await server.end('SIGTERM');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { starts, failures };
}
