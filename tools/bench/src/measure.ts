import { createCore, LOCAL_USER } from '@recollect/core';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { fill } from './fill.js';
import { openService } from './open-service.js';
import { quantile, time } from './statistics.js';

/** Measures durable captures over HTTP without embedding: one chunk each, one after another. */
export async function measureCapture(): Promise<Figure[]> {
  const service = await openService({ withModel: false });
  const word = createWords(createRandom(1));
  const times: number[] = [];
  for (let at = 0; at < 600; at++) {
    const pageText = createText(word, 120);
    times.push(
      await time(() =>
        service.client('capture', { body: { title: `Page ${at}`, url: `https://a.example/${at}`, pageText } }),
      ),
    );
  }
  await service.close();
  const warm = times.slice(100);
  return [
    { name: 'durable capture over HTTP, p50', value: quantile(warm, 0.5), unit: 'ms', limit: 5 },
    { name: 'durable capture over HTTP, p99', value: quantile(warm, 0.99), unit: 'ms', limit: 25 },
  ];
}

/** Measures queries of four to nine words over HTTP, with the real model. */
export async function measureQueries(memories: number): Promise<Figure[]> {
  const service = await openService({ withModel: true });
  const random = createRandom(2);
  const word = createWords(random);
  await fill(service, memories, random, word);
  const times: number[] = [];
  for (let at = 0; at < 220; at++) {
    const query = `${createText(word, 4 + (at % 6))}?`;
    times.push(await time(() => service.client('query', { body: { query } })));
  }
  await service.close();
  const warm = times.slice(20);
  const name = `query over HTTP with the model at ${memories.toLocaleString('en')} memories`;
  return [
    { name: `${name}, p50`, value: quantile(warm, 0.5), unit: 'ms', limit: 20 },
    { name: `${name}, p95`, value: quantile(warm, 0.95), unit: 'ms', limit: 40 },
  ];
}

/** Measures indexing of chunks of about 200 tokens with the real model, and `/healthz` during it. */
export async function measureIndexing(): Promise<Figure[]> {
  const service = await openService({ withModel: true });
  const coreWithoutModel = createCore({ ...service.storage });
  const captures = Array.from({ length: 300 }, (_, at) => ({ title: `Page ${at}`, pageText: englishText(at) }));
  for (let at = 0; at < captures.length; at += 100)
    await coreWithoutModel.capture(LOCAL_USER, captures.slice(at, at + 100));
  const chunks =
    (
      await Promise.all(
        (
          await service.core.memories.list(LOCAL_USER, { limit: 100 })
        ).memories.map(({ id }) => service.core.memories.get(LOCAL_USER, id)),
      )
    ).reduce((sum, memory) => sum + memory.chunks, 0) / 100;

  const health: number[] = [];
  let isRunning = true;
  const watch = (async () => {
    while (isRunning) {
      health.push(await time(() => fetch(`${service.address}/healthz`).then((response) => response.text())));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const milliseconds = await time(async () => {
    while ((await service.client('reindexState', {})).needsReindex)
      await service.client('reindex', { body: { batchSize: 64 } });
  });
  isRunning = false;
  await watch;
  await service.close();
  return [
    {
      name: 'chunks of 200 tokens indexed',
      value: (captures.length * chunks * 1_000) / milliseconds,
      unit: 'a second',
      limit: 50,
    },
    { name: 'healthz while indexing, p95', value: quantile(health, 0.95), unit: 'ms', limit: 10 },
  ];
}

const SENTENCES = [
  'The committee met on Tuesday to discuss the budget for the coming year and the repairs of the old bridge.',
  'Rain had fallen for three days, and the river stood higher than anybody in the village could remember.',
  'A good bread needs flour, water, salt and time, of which time is the one that cannot be bought.',
  'The experiment was repeated with a smaller sample, and the result was the same within the error.',
  'Her grandfather had kept bees behind the house, and the smell of smoke and honey never left the shed.',
  'When the train finally arrived the platform was empty but for a dog and a man selling newspapers.',
  'Most of the software that runs the world was written by people who are no longer there to explain it.',
  'In winter the lake freezes from the shore inward, and the children test the ice with stones.',
];

/** About 200 tokens of plain English, different for each number. */
function englishText(number: number): string {
  return Array.from(
    { length: 8 },
    (_, at) => `${SENTENCES[(number * 3 + at) % SENTENCES.length]} Note ${number}.${at}.`,
  ).join(' ');
}
