import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_USER } from '@recollect/core';
import { createRandom, createText, createWords } from './corpus.js';
import type { Figure } from './figure.js';
import { openService, type Service } from './open-service.js';
import { quantile, time } from './statistics.js';

const MEMORIES = 10_000;
/** Captures per turn. Turns with and without a backup alternate, so that a slow minute of the machine affects both. */
const CAPTURES = 250;
const TURNS = 4;

/** Measures captures over HTTP while a backup runs, as a multiple of the same captures without one. */
export async function measureBackup(): Promise<Figure[]> {
  const service = await openService({ withModel: false });
  const random = createRandom(5);
  const word = createWords(random);
  for (let at = 0; at < MEMORIES; at += 100) {
    const captures = Array.from({ length: 100 }, () => ({ pageText: createText(word, 110) }));
    await service.core.capture(LOCAL_USER, captures);
  }
  const save = () =>
    time(() => service.client('capture', { body: { pageText: createText(word, 110 + Math.floor(random() * 50)) } }));
  for (let at = 0; at < 100; at++) await save();
  const [alone, besides]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    for (let at = 0; at < CAPTURES; at++) alone.push(await save());
    const backup = keepBackingUp(service);
    for (let at = 0; at < CAPTURES; at++) besides.push(await save());
    await backup.stop();
  }
  await service.close();
  const figure = (share: number): Figure => ({
    name: `capture during a backup of ${MEMORIES.toLocaleString('en')} memories, p${share * 100}`,
    value: quantile(besides, share) / quantile(alone, share),
    unit: 'times',
    limit: 1.1,
  });
  process.stderr.write(
    `capture p50 ${quantile(alone, 0.5).toFixed(2)} ms, p99 ${quantile(alone, 0.99).toFixed(2)} ms; during a backup p50 ${quantile(besides, 0.5).toFixed(2)} ms, p99 ${quantile(besides, 0.99).toFixed(2)} ms\n`,
  );
  return [figure(0.5), figure(0.99)];
}

/** Makes one backup after another until stopped. */
function keepBackingUp({ storage, folder }: Service) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const target = join(folder, 'backup.db');
  const work = (async () => {
    while (!signal.aborted) {
      await storage.copy?.(target, { signal }).catch((error) => {
        if (!signal.aborted) throw error;
      });
      await rm(target, { force: true });
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await work;
    },
  };
}
