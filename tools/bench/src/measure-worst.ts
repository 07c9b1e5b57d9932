import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@recollect/contract/client';
import { createCore, LOCAL_USER } from '@recollect/core';
import { worstQueries, worstTexts } from '@recollect/core/testing';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService } from './open-service.js';
import { serveProgram } from './serve-program.js';
import { quantile, time } from './statistics.js';

const MEMORIES = 10_000;
const LETTERS = 600_000;
/** Milliseconds after which another client asks. */
const LATER = 5;
/** Queries that are named, the slowest first. */
const REPORTED = 10;

/**
 * Measures the queries that cost the most, and how long each delays one of another client, in the server as users start
 * it.
 */
export async function measureWorst(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const random = createRandom(10);
  const word = createWords(random);
  let stop = async () => {};
  try {
    const filling = await openService({ withModel: true, folder });
    const captures = Object.entries(worstTexts).map(([title, write]) => ({ title, pageText: write(LETTERS) }));
    await createCore({ ...filling.storage }).capture(LOCAL_USER, captures);
    await fill(filling, MEMORIES, random, word);
    await filling.close();
    const env = { RECOLLECT_PORT: '0', RECOLLECT_RATE_LIMIT: 'off', RECOLLECT_BACKUPS: 'off' };
    const server = await serveProgram({ ...process.env, ...env, RECOLLECT_DATA_DIR: folder });
    stop = server.stop;
    const client = createClient({ baseUrl: server.address });
    const ask = (query: string) => time(() => client('query', { body: { query } }));
    const askUsual = () => ask(createText(word, 5));
    /**
     * How long another client waits. The less of two times counts, since the machine may be busy with something else.
     */
    const askBeside = async (query: string) => {
      const asked = ask(query);
      await sleep(LATER);
      const ms = await askUsual();
      await asked;
      return ms;
    };
    for (let at = 0; at < 20; at++) await askUsual();

    const [alone, worst, others]: [number[], Timed[], Timed[]] = [[], [], []];
    for (const { name, query } of worstQueries()) {
      worst.push({ name, ms: await ask(query) });
      alone.push(await askUsual());
      others.push({ name, ms: Math.min(await askBeside(query), await askBeside(query)) });
    }
    const usual = quantile(alone, 0.5);
    report('worst queries', worst);
    report('another query beside them', others);
    return [
      { name: `worst of ${worst.length} queries at 10,000 memories`, value: greatest(worst), unit: 'ms', limit: 1_000 },
      { name: 'delay of another query by the worst', value: greatest(others) - usual, unit: 'ms', limit: 100 },
    ];
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Timed {
  name: string;
  ms: number;
}

function greatest(times: readonly Timed[]): number {
  return Math.max(...times.map(({ ms }) => ms));
}

function report(what: string, times: readonly Timed[]): void {
  const first = times.toSorted((a, b) => b.ms - a.ms).slice(0, REPORTED);
  process.stderr.write(`\n${what}: ${first.map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`).join('; ')}\n`);
}
