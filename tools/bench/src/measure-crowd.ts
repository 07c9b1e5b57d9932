import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@recollect/contract/client';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService } from './open-service.js';
import { serveProgram } from './serve-program.js';
import { quantile } from './statistics.js';

const MEMORIES = 10_000;
const CLIENTS = 16;
const QUERIES = 600;

/**
 * Measures `/healthz` while sixteen clients query a server without a pause. Server, clients and the one who asks are
 * three processes.
 */
export async function measureCrowd(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const random = createRandom(9);
  const word = createWords(random);
  try {
    const filling = await openService({ withModel: true, folder });
    await fill(filling, MEMORIES, random, word);
    await filling.close();
    const env = { RECOLLECT_PORT: '0', RECOLLECT_RATE_LIMIT: 'off', RECOLLECT_BACKUPS: 'off' };
    const server = await serveProgram({ ...process.env, ...env, RECOLLECT_DATA_DIR: folder });
    const client = createClient({ baseUrl: server.address });
    const ask = () => client('query', { body: { query: createText(word, 4 + Math.floor(random() * 6)) } });
    for (let at = 0; at < CLIENTS; at++) await ask();

    const probe = fork(fileURLToPath(new URL('probe-health.js', import.meta.url)), [server.address]);
    let left = QUERIES;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) await ask();
    });
    await Promise.all(clients);
    const measured = once(probe, 'message');
    probe.send('stop');
    const [times] = (await measured) as [number[]];
    await server.stop();
    return [
      {
        name: 'healthz while 16 clients query 10,000 memories, p95',
        value: quantile(times, 0.95),
        unit: 'ms',
        limit: 10,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
