import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@recollect/contract/client';
import { cliProgram } from './cli-program.js';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { quantile, time } from './statistics.js';

const run = promisify(execFile);
const MEMORIES = 100;
const TURNS = 15;

/** Measures commands, as users start them: with a running server, against an empty program and the server's own answer; and alone. */
export async function measureCommand(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const env = { ...process.env, RECOLLECT_DATA_DIR: folder, RECOLLECT_PORT: '0' };
  const command = (...args: string[]) => run(process.execPath, [cliProgram, ...args], { env });
  const times: Record<'empty' | 'answer' | 'search' | 'alone', number[]> = {
    empty: [],
    answer: [],
    search: [],
    alone: [],
  };
  try {
    const server = spawn(process.execPath, [cliProgram, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const address = await new Promise<string>((resolve) => {
      server.stdout.on('data', (chunk) => {
        const found = /Open (http:\S+)/.exec(String(chunk))?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    const client = createClient({ baseUrl: address });
    const word = createWords(createRandom(6));
    for (let at = 0; at < MEMORIES; at++) await client('capture', { body: { pageText: createText(word, 110) } });
    await command('search', 'warm up').catch(() => {});
    for (let turn = 0; turn < TURNS; turn++) {
      const query = createText(word, 5);
      times.empty.push(await time(() => run(process.execPath, ['-e', '0'])));
      times.answer.push(await time(() => client('query', { body: { query } })));
      times.search.push(await time(() => command('search', query)));
    }
    server.kill('SIGTERM');
    await once(server, 'exit');
    for (let turn = 0; turn < TURNS; turn++) times.alone.push(await time(() => command('recent')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const median = (name: keyof typeof times) => quantile(times[name], 0.5);
  return [
    {
      name: 'recollect search with a server, beyond node -e 0 and the answer',
      value: median('search') - median('empty') - median('answer'),
      unit: 'ms',
      limit: 150,
    },
    { name: 'recollect recent alone', value: median('alone'), unit: 'ms', limit: 400 },
  ];
}
