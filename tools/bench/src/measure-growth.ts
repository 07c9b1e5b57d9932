import { createCore, LOCAL_USER } from '@recollect/core';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { createFreeModel } from './free-model.js';
import { openService, type Service } from './open-service.js';
import { quantile, time } from './statistics.js';

/** Memories of each store. */
const SIZES = [1_000, 10_000, 100_000];
const SITES = 500;
const TAGS = 200;
/** Times that each operation is measured in each store, and those before them that warm it up. */
const [TIMES, WARM] = [60, 10];

/** How many times as long each operation may take in the last store as in the first. */
const LIMITS = {
  'capture with embedding': 1.5,
  edit: 2,
  delete: 2,
  tag: 2,
  'mark as read': 2,
  status: 2,
  'page of the list': 2,
  related: 2,
  // These look at what grows.
  counts: 100,
  query: 10,
};

type Operation = keyof typeof LIMITS;

/** A store of one of the sizes. */
interface Filled {
  service: Service;
  /** The id of another memory each time, spread over the store. */
  nextId(): string;
}

/** Measures how much longer operations over HTTP take in a store of 100,000 memories than in one of 1,000, in turns. */
export async function measureGrowth(): Promise<Figure[]> {
  const stores: Filled[] = [];
  const word = createWords(createRandom(11));
  try {
    for (const memories of SIZES) stores.push(await fillStore(memories, word));
    const medians = await measureAll(stores, word);
    report(medians);
    return [...medians].map(([name, values]) => ({
      name: `${name} at 100,000 memories, against 1,000`,
      value: (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN),
      unit: 'times',
      limit: LIMITS[name],
    }));
  } finally {
    for (const { service } of stores) await service.close();
  }
}

async function fillStore(memories: number, word: () => string): Promise<Filled> {
  const service = await openService({ withModel: true, model: createFreeModel() });
  const { core, storage } = service;
  const coreWithoutModel = createCore({ ...storage });
  const ids: string[] = [];
  for (let at = 0; at < memories; at += 100) {
    const captures = Array.from({ length: 100 }, (_, index) => ({
      title: createText(word, 5),
      url: `https://site${(at + index) % SITES}.example/${at + index}`,
      tags: [`tag ${(at + index) % TAGS}`],
      pageText: createText(word, 110),
    }));
    const { answer } = await coreWithoutModel.capture(LOCAL_USER, captures);
    ids.push(...answer.captures.flatMap(({ id }) => id ?? []));
  }
  while ((await core.indexing.reindex(LOCAL_USER, { batchSize: 256 })).remaining > 0);
  while (await core.indexing.mergeText());
  let next = 0;
  // A prime, so that each memory comes once.
  const nextId = () => ids[(next++ * 7_919) % ids.length] ?? '';
  return { service, nextId };
}

/** The medians of each operation in each store. */
async function measureAll(stores: readonly Filled[], word: () => string): Promise<Map<Operation, number[]>> {
  const medians = new Map<Operation, number[]>();
  for (const name of Object.keys(LIMITS) as Operation[]) {
    const times = stores.map((): number[] => []);
    for (let at = 0; at < WARM + TIMES; at++)
      for (const [index, store] of stores.entries()) {
        const run = prepare(name, store, word, at);
        times[index]?.push(await time(run));
      }
    medians.set(
      name,
      times.map((all) => quantile(all.slice(WARM), 0.5)),
    );
  }
  return medians;
}

/** An operation whose text is made before it is timed. */
function prepare(
  name: Operation,
  { service: { client }, nextId }: Filled,
  word: () => string,
  at: number,
): () => Promise<unknown> {
  const parameters = { id: nextId() };
  const [title, pageText] = [createText(word, 5), createText(word, 110)];
  const query = `${createText(word, 4 + (at % 6))}?`;
  const operations: Readonly<Record<Operation, () => Promise<unknown>>> = {
    'capture with embedding': () =>
      client('capture', { body: { title, url: `https://new.example/${title}`, pageText } }),
    edit: () => client('updateMemory', { parameters, body: { title } }),
    delete: () => client('deleteMemory', { parameters }),
    tag: () => client('updateMemory', { parameters, body: { addTags: [title] } }),
    'mark as read': () => client('updateMemory', { parameters, body: { readState: 'read' } }),
    status: () => client('status', {}),
    'page of the list': () => client('listMemories', { query: {} }),
    related: () => client('relatedMemories', { parameters, query: {} }),
    counts: () => client('countMemories', { query: {} }),
    query: () => client('query', { body: { query } }),
  };
  return operations[name];
}

function report(medians: ReadonlyMap<Operation, readonly number[]>): void {
  const line = (name: string, values: readonly string[]) =>
    `${name.padEnd(24)}${values.map((value) => value.padStart(10)).join('')}\n`;
  const sizes = SIZES.map((size) => size.toLocaleString('en'));
  const lines = [...medians].map(([name, values]) =>
    line(name, [...values.map((ms) => ms.toFixed(2)), ((values.at(-1) ?? 0) / (values[0] ?? 0)).toFixed(2)]),
  );
  process.stderr.write(`\n${line('ms, p50', [...sizes, 'ratio'])}${lines.join('')}`);
}
