import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ExportRecord, writeExport } from '@recollect/contract';
import { cliProgram } from './cli-program.js';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';

const MEMORIES = 40_000;
/** With the words of the corpus, about 50 KB: 2 GB in all. */
const WORDS = 7_400;
/** Different texts. Each memory has one of them after a unique line, because making 2 GB of words takes long. */
const TEXTS = 200;
/** Milliseconds between two looks at the memory of a process. The kernel keeps the highest value. */
const LOOK_EVERY = 200;

/**
 * Measures the highest resident memory of an import of 2 GB, of an export of the same, and how long both take. Linux
 * only.
 */
export async function measureTransfer(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  try {
    const [given, written] = [join(folder, 'given.jsonl'), join(folder, 'written.jsonl')];
    await pipeline(writeExport(records(), { program: '0.1.0', now: new Date() }), createWriteStream(given));
    const { size } = await stat(given);
    const imported = await runCommand(folder, ['import', given, '--json']);
    const repeated = await runCommand(folder, ['import', given, '--json']);
    const exported = await runCommand(folder, ['export', '--out', written, '--json']);
    const megabytes = size / 2 ** 20;
    const speed = ({ seconds }: Run) => `${seconds.toFixed(0)} s, ${(megabytes / seconds).toFixed(0)} MB/s`;
    process.stderr.write(
      `${megabytes.toFixed(0)} MB: import ${speed(imported)}; again ${speed(repeated)}; export ${speed(exported)}\n`,
    );
    const figure = (name: string, { peakMb }: Run): Figure => ({ name, value: peakMb, unit: 'MB', limit: 300 });
    return [
      figure('import of 2 GB, highest memory', imported),
      figure('import of the same again, highest memory', repeated),
      figure('export of 2 GB, highest memory', exported),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  peakMb: number;
  seconds: number;
}

/** Runs a command on a separate store, without a server and a model. */
async function runCommand(folder: string, args: readonly string[]): Promise<Run> {
  const env = { ...process.env, RECOLLECT_DATA_DIR: join(folder, 'store'), RECOLLECT_EMBEDDINGS: 'off' };
  const began = performance.now();
  const child = spawn(process.execPath, [cliProgram, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peakMb = 0;
  const look = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, LOOK_EVERY);
  const [code] = await once(child, 'exit');
  clearInterval(look);
  if (code !== 0) throw new Error(`recollect ${args[0]} ended with code ${code}.`);
  return { peakMb, seconds: (performance.now() - began) / 1_000 };
}

async function* records(): AsyncGenerator<ExportRecord> {
  const word = createWords(createRandom(9));
  const texts = Array.from({ length: TEXTS }, () => createText(word, WORDS));
  for (let number = 0; number < MEMORIES; number++) {
    const at = new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString();
    yield {
      id: `01940000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
      title: `Memory ${number}`,
      text: `${createText(word, 12)}\n\n${texts[number % TEXTS]}`,
      turns: null,
      url: `https://site-${number % 50}.example/${number}`,
      sourceType: 'url',
      sourceApp: 'browser-extension',
      captureMode: 'page',
      tags: ['bench'],
      note: null,
      metadata: {},
      page: {},
      savedBy: null,
      capturedAt: at,
      lastCapturedAt: at,
      updatedAt: at,
      deletedAt: null,
      highlights: [],
      history: [],
    };
  }
}
