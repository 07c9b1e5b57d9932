import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createRows, type Question } from './dataset.js';
import type { Engine, OpenEngine } from './engine.js';
import { openLanceDbEngine } from './lancedb-engine.js';
import { openOramaEngine } from './orama-engine.js';
import { openRawSqliteEngine } from './raw-sqlite-engine.js';
import { openRecollectEngine } from './recollect-engine.js';
import { openUsearchEngine } from './usearch-engine.js';

// One engine in its own process, so that its memory can be measured. It times its own calls.

const engines: Readonly<Record<string, OpenEngine>> = {
  recollect: openRecollectEngine,
  'sqlite-vec + FTS5': openRawSqliteEngine,
  lancedb: openLanceDbEngine,
  orama: openOramaEngine,
  usearch: openUsearchEngine,
};

export interface FillRequest {
  kind: 'fill';
  engine: string;
  folder: string;
  count: number;
  centres: Float32Array[];
}
export interface AskRequest {
  kind: 'ask';
  question: Question;
  limit: number;
}
export interface Filled {
  seconds: number;
  /** Bytes of files. */
  disk: number;
  /** Resident memory after filling, in MB. */
  memory: number;
}
/** Milliseconds and ids; null for what the engine cannot do. */
export interface Asked {
  hybrid: { ms: number; ids: number[] } | null;
  nearest: { ms: number; ids: number[] } | null;
}

let engine: Engine | undefined;

const answer = async (request: FillRequest | AskRequest): Promise<Filled | Asked> => {
  if (request.kind === 'fill') {
    const open = engines[request.engine];
    if (open === undefined) throw new Error(`There is no engine ${request.engine}.`);
    engine = await open(request.folder);
    const started = performance.now();
    await engine.fill(createRows(request.count, request.centres));
    const seconds = (performance.now() - started) / 1_000;
    return { seconds, disk: await bytesIn(request.folder), memory: process.memoryUsage.rss() / 2 ** 20 };
  }
  const { question, limit } = request;
  return {
    hybrid: await timed(engine?.hybrid === undefined ? null : () => engine?.hybrid?.(question, limit)),
    nearest: await timed(engine?.nearest === undefined ? null : () => engine?.nearest?.(question.vector, limit)),
  };
};

async function timed(
  work: (() => Promise<number[]> | undefined) | null,
): Promise<{ ms: number; ids: number[] } | null> {
  if (work === null) return null;
  const started = performance.now();
  const ids = (await work()) ?? [];
  return { ms: performance.now() - started, ids };
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

process.on('message', (request: FillRequest | AskRequest) => {
  answer(request).then(
    (reply) => process.send?.({ reply }),
    (error) => process.send?.({ error: String(error?.stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit());
