import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Operation } from './operation.js';
import { CALLS, parseTrace } from './parse-trace.js';

/** The writer: the store as it ships, or one that does not sync its commits. */
export type Writer = 'capture-process' | 'careless-process';

/** Runs a writer under `strace` in a folder that does not exist yet. Returns what it did to the files there. */
export async function record(writer: Writer, work: string, number: number): Promise<Operation[]> {
  const folder = join(work, 'data');
  const database = join(folder, 'recollect.db');
  const trace = join(work, 'trace');
  const program = fileURLToPath(new URL(`./${writer}.js`, import.meta.url));
  const options = ['-f', '-y', '-qq', '-xx', '-s', '1000000', '-e', `trace=${CALLS}`, '-o', trace];
  const child = spawn('strace', [...options, process.execPath, program, database, String(number)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`The writer failed: ${errors}`);
  // The name of the folder itself is taken as certain.
  const operations = parseTrace(await readFile(trace, 'latin1'), database);
  await rm(folder, { recursive: true });
  await rm(trace);
  return operations;
}
