import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalModel } from '@recollect/embeddings';
import { minilm } from '@recollect/models/minilm';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { createQuestions, createRows, type Question } from './search/dataset.js';
import type { Asked, AskRequest, Filled, FillRequest } from './search/engine-process.js';
import { installPeers } from './search/peers.js';
import { quantile } from './statistics.js';

const CENTRES = 200;
const QUESTIONS = 60;
const WARM_UP = 10;
const LIMIT = 10;

/** The engines that are worth waiting for at a size. */
const ENGINES: Readonly<Record<number, string[]>> = {
  10000: ['recollect', 'sqlite-vec + FTS5', 'lancedb', 'orama', 'usearch'],
  100000: ['recollect', 'sqlite-vec + FTS5', 'lancedb', 'usearch'],
  1000000: ['recollect', 'sqlite-vec + FTS5', 'lancedb', 'usearch'],
};

/** How many times slower a peer must be; the peers' hybrid search against Recollect's. */
const LIMITS: Readonly<Record<number, Record<string, number>>> = {
  10000: { 'sqlite-vec + FTS5': 2, lancedb: 1 },
  100000: { 'sqlite-vec + FTS5': 20, lancedb: 2 },
  1000000: { 'sqlite-vec + FTS5': 40 },
};

/** The measurements of one engine at one size. Times are in milliseconds, memory in MB, disk in bytes. */
export interface Row {
  engine: string;
  count: number;
  hybrid: { p50: number; p95: number } | null;
  nearest: { p50: number; p95: number; recall: number } | null;
  memory: number;
  disk: number;
  fillSeconds: number;
}

/** Compares hybrid searches of one store size, each engine in its own process, in turns. */
export async function measureSearch(count: number): Promise<Figure[]> {
  installPeers();
  const centres = await embedCentres();
  const questions = createQuestions(QUESTIONS + WARM_UP, centres);
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-'));
  const engines = new Map<string, { child: ChildProcess; filled: Filled; asked: Asked[] }>();
  try {
    for (const engine of ENGINES[count] ?? []) {
      const child = fork(new URL('./search/engine-process.js', import.meta.url), {
        serialization: 'advanced',
        // LanceDB warns about each search.
        env: { ...process.env, LANCEDB_LOG: 'error' },
      });
      const own = await mkdtemp(join(folder, 'engine-'));
      const request: FillRequest = { kind: 'fill', engine, folder: own, count, centres };
      const filled = await ask<Filled>(child, request);
      process.stderr.write(`${engine}: ${count} rows in ${filled.seconds.toFixed(0)} s\n`);
      engines.set(engine, { child, filled, asked: [] });
    }
    for (const [at, question] of questions.entries())
      for (const { child, asked } of engines.values()) {
        const reply = await ask<Asked>(child, { kind: 'ask', question, limit: LIMIT });
        if (at >= WARM_UP) asked.push(reply);
      }
    const exact = findExact(count, centres, questions.slice(WARM_UP));
    const rows = [...engines].map(([engine, { filled, asked }]) => toRow(engine, count, filled, asked, exact));
    await report(rows);
    return toFigures(rows);
  } finally {
    for (const { child } of engines.values()) child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ask<Reply>(child: ChildProcess, request: FillRequest | AskRequest): Promise<Reply> {
  child.send(request);
  const [message] = await once(child, 'message');
  if ('error' in message) throw new Error(message.error);
  return message.reply;
}

/** Texts that are really embedded: the vectors of all rows are near one of theirs. */
export async function embedCentres(): Promise<Float32Array[]> {
  const model = openLocalModel(minilm);
  const word = createWords(createRandom(3));
  const texts = Array.from({ length: CENTRES }, () => createText(word, 60));
  const centres = await model.embed(texts, { purpose: 'document' });
  await model.close();
  return centres;
}

/** The nearest rows of each question by their float32 vectors. */
function findExact(count: number, centres: readonly Float32Array[], questions: readonly Question[]): Set<number>[] {
  const best = questions.map(() => ({ ids: [] as number[], products: [] as number[] }));
  for (const { id, vector } of createRows(count, centres)) {
    for (const [at, question] of questions.entries()) {
      const { ids, products } = best[at] as { ids: number[]; products: number[] };
      let product = 0;
      for (let index = 0; index < vector.length; index++)
        product += (vector[index] as number) * (question.vector[index] as number);
      if (ids.length === LIMIT && product <= (products[LIMIT - 1] as number)) continue;
      let place = products.findIndex((other) => other < product);
      if (place < 0) place = products.length;
      products.splice(place, 0, product);
      ids.splice(place, 0, id);
      products.length = ids.length = Math.min(LIMIT, ids.length);
    }
  }
  return best.map(({ ids }) => new Set(ids));
}

function toRow(
  engine: string,
  count: number,
  filled: Filled,
  asked: readonly Asked[],
  exact: readonly Set<number>[],
): Row {
  const times = (kind: keyof Asked) => asked.flatMap((each) => (each[kind] === null ? [] : [each[kind].ms]));
  const spread = (kind: keyof Asked) => ({ p50: quantile(times(kind), 0.5), p95: quantile(times(kind), 0.95) });
  const recalls = asked.map(({ nearest }, at) => {
    const wanted = exact[at] ?? new Set();
    return (nearest?.ids.filter((id) => wanted.has(id)).length ?? 0) / Math.max(1, wanted.size);
  });
  return {
    engine,
    count,
    hybrid: times('hybrid').length === 0 ? null : spread('hybrid'),
    nearest:
      times('nearest').length === 0
        ? null
        : { ...spread('nearest'), recall: recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length },
    memory: filled.memory,
    disk: filled.disk,
    fillSeconds: filled.seconds,
  };
}

/** Prints the comparison, and keeps it beside the tool. */
async function report(rows: readonly Row[]): Promise<void> {
  const digits = (value: number | undefined) => (value === undefined ? '' : value.toPrecision(3));
  console.table(
    rows.map(({ engine, count, hybrid, nearest, memory, disk, fillSeconds }) => ({
      engine,
      rows: count,
      'hybrid p50': digits(hybrid?.p50),
      p95: digits(hybrid?.p95),
      'nearest p50': digits(nearest?.p50),
      'recall@10': nearest?.recall.toFixed(3) ?? '',
      'memory MB': Math.round(memory),
      'disk MB': Math.round(disk / 2 ** 20),
      'filled in s': Math.round(fillSeconds),
    })),
  );
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, Node ${process.version}`;
  const file = new URL(`../results/search-${rows[0]?.count}.json`, import.meta.url);
  await writeFile(file, `${JSON.stringify({ machine, commit, date: new Date().toISOString(), rows }, null, 2)}\n`);
}

function toFigures(rows: readonly Row[]): Figure[] {
  const ours = rows.find(({ engine }) => engine === 'recollect');
  if (ours?.hybrid == null) return [];
  const { count, hybrid } = ours;
  return Object.entries(LIMITS[count] ?? {}).flatMap(([engine, limit]) => {
    const peer = rows.find((row) => row.engine === engine)?.hybrid;
    if (peer == null) return [];
    const name = `hybrid query at ${count.toLocaleString('en')}, share of ${engine}`;
    return [{ name, value: hybrid.p50 / peer.p50, unit: 'times' as const, limit: 1 / limit }];
  });
}
