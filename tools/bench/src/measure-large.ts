import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cliProgram } from './cli-program.js';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService, type Service } from './open-service.js';
import { quantile, time } from './statistics.js';

/** Milliseconds that are still usable. Work that a command does once, with progress, may take minutes. */
const LIMITS = {
  start: 10_000,
  capture: 200,
  query: 2_000,
  list: 200,
  status: 2_000,
  backup: 600_000,
  doctor: 600_000,
};

const run = promisify(execFile);

/** Runs a command that takes its time, as users run it. */
const command = (name: 'backup' | 'doctor', folder: string) =>
  run(process.execPath, [cliProgram, name], { env: { ...process.env, RECOLLECT_DATA_DIR: folder } });

/** Measures a store of many memories over HTTP: its start, and what users wait for. */
export async function measureLarge(memories: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const random = createRandom(4);
  const word = createWords(random);
  try {
    const filled = await openService({ withModel: true, folder });
    await fill(filled, memories, random, word);
    await filled.close();
    let service: Service | undefined;
    const start = await time(async () => {
      service = await openService({ withModel: true, folder });
    });
    if (service === undefined) throw new Error('The service did not start.');
    const { client } = service;
    const median = async (work: (at: number) => Promise<unknown>) => {
      const times: number[] = [];
      for (let at = 0; at < 25; at++) times.push(await time(() => work(at)));
      return quantile(times.slice(5), 0.5);
    };
    const url = 'https://new.example/';
    const measured = {
      capture: await median((at) => client('capture', { body: { url: url + at, pageText: createText(word, 110) } })),
      query: await median((at) => client('query', { body: { query: `${createText(word, 4 + (at % 6))}?` } })),
      list: await median(() => client('listMemories', { query: {} })),
      status: await median(() => client('status', {})),
    };
    await service.close();
    const once = {
      start,
      backup: await time(() => command('backup', folder)),
      doctor: await time(() => command('doctor', folder)),
    };
    return Object.entries({ ...measured, ...once }).map(([name, value]) => ({
      name: `${name} at ${memories.toLocaleString('en')} memories${name in once ? '' : ', p50'}`,
      value,
      unit: 'ms',
      limit: LIMITS[name as keyof typeof LIMITS],
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
