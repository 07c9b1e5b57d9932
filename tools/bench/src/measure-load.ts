import { createCore, LOCAL_USER } from '@recollect/core';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { openService } from './open-service.js';
import { quantile, time } from './statistics.js';

const PER_REQUEST = 100;
const REQUESTS = 50;
const CLIENTS = 8;
const PER_CLIENT = 200;

/**
 * Measures captures of one chunk each over HTTP without embedding: a hundred per request, and one per request by eight
 * clients.
 */
export async function measureThroughput(): Promise<Figure[]> {
  const service = await openService({ withModel: false });
  const word = createWords(createRandom(3));
  const captures = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ title: `Page ${at}`, pageText: createText(word, 120) }));
  const save = (body: ReturnType<typeof captures>) => service.client('capture', { body });

  await save(captures(PER_REQUEST));
  const requests = Array.from({ length: REQUESTS }, () => captures(PER_REQUEST));
  const bulk = await time(async () => {
    for (const request of requests) await save(request);
  });
  const ofClients = Array.from({ length: CLIENTS }, () => captures(PER_CLIENT));
  const beside = await time(() =>
    Promise.all(
      ofClients.map(async (own) => {
        for (const capture of own) await save([capture]);
      }),
    ),
  );
  await service.close();
  return [
    {
      name: 'captures over HTTP, 100 per request',
      value: (REQUESTS * PER_REQUEST * 1_000) / bulk,
      unit: 'a second',
      limit: 5_000,
    },
    {
      name: 'captures over HTTP by eight clients',
      value: (CLIENTS * PER_CLIENT * 1_000) / beside,
      unit: 'a second',
      limit: 300,
    },
  ];
}

const BACKLOG = 20_000;
const QUERIES = 120;

/** Measures queries over HTTP with the real model while the background embeds 20,000 memories. */
export async function measureBacklog(): Promise<Figure[]> {
  const service = await openService({ withModel: true, runners: true });
  const word = createWords(createRandom(4));
  const saving = createCore({ ...service.storage });
  for (let at = 0; at < BACKLOG; at += PER_REQUEST)
    await saving.capture(
      LOCAL_USER,
      Array.from({ length: PER_REQUEST }, (_, one) => ({ title: `Page ${at + one}`, pageText: createText(word, 120) })),
    );
  const state = () => service.client('reindexState', {});
  const { withEmbeddings } = await state();
  // They were saved without a model: now their job is due.
  await service.client('reindex', { body: { runNow: false } });
  while ((await state()).withEmbeddings === withEmbeddings) await new Promise((resolve) => setTimeout(resolve, 100));

  const times: number[] = [];
  for (let at = 0; at < QUERIES; at++) {
    const query = `${createText(word, 4 + (at % 6))}?`;
    times.push(await time(() => service.client('query', { body: { query } })));
  }
  if (!(await state()).needsReindex) throw new Error('The backlog was embedded before the queries ended.');
  await service.close();
  const warm = times.slice(20);
  return [
    {
      name: 'query while 20,000 memories are embedded, p50',
      value: quantile(warm, 0.5),
      unit: 'ms',
      limit: 25,
    },
  ];
}
