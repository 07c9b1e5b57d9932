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
import { serveProgram } from './serve-program.js';
import { quantile, time } from './statistics.js';

const run = promisify(execFile);
const MEMORIES = 100;
const TURNS = 15;

/** Commands that need no model, as a user types them. */
const PLAIN = [['recent'], ['tags'], ['status'], ['keys', 'list'], ['--help'], ['--version']];

/**
 * Measures commands, as users start them, against an empty program in the same turn: with a running server, beyond the
 * server's own answer; and without one.
 */
export async function measureCommand(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const env = { ...process.env, RECOLLECT_DATA_DIR: folder, RECOLLECT_PORT: '0' };
  const command = async (args: readonly string[], input = '') => {
    const child = spawn(process.execPath, [cliProgram, ...args], { env, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin?.end(input);
    await once(child, 'exit');
  };
  const empty = () => run(process.execPath, ['-e', '0']);
  const beyond: Record<'search' | 'capture', number[]> = { search: [], capture: [] };
  const alone = new Map(PLAIN.map((words) => [words.join(' '), [] as number[]]));
  try {
    const server = await serveProgram(env);
    const client = createClient({ baseUrl: server.address });
    const word = createWords(createRandom(6));
    for (let at = 0; at < MEMORIES; at++) await client('capture', { body: { pageText: createText(word, 110) } });
    await command(['search', 'warm up']);
    for (let turn = 0; turn < TURNS; turn++) {
      const query = createText(word, 5);
      const [line, other] = [createText(word, 12), createText(word, 12)];
      const nothing = await time(empty);
      const answer = await time(() => client('query', { body: { query } }));
      beyond.search.push((await time(() => command(['search', query]))) - nothing - answer);
      const saved = await time(() => client('capture', { body: { pageText: line } }));
      beyond.capture.push((await time(() => command(['capture', '-'], other))) - nothing - saved);
    }
    await server.stop();
    for (let turn = 0; turn < TURNS; turn++)
      for (const words of PLAIN) {
        const nothing = await time(empty);
        alone.get(words.join(' '))?.push((await time(() => command(words))) - nothing);
      }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return [
    {
      name: 'recollect search with a server, beyond node -e 0 and the answer',
      value: quantile(beyond.search, 0.5),
      unit: 'ms',
      limit: 120,
    },
    {
      name: 'recollect capture - with a server, beyond node -e 0 and the answer',
      value: quantile(beyond.capture, 0.5),
      unit: 'ms',
      limit: 150,
    },
    ...[...alone].map(
      ([words, times]): Figure => ({
        name: `recollect ${words} without a server, beyond node -e 0`,
        value: quantile(times, 0.5),
        unit: 'ms',
        limit: 250,
      }),
    ),
  ];
}
