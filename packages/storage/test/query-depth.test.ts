import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

let storage: Storage;
beforeEach(async () => {
  storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
});
afterEach(() => storage.close());

/**
 * Core over a model that counts similarities above a floor, with so many memories about granite, and others about
 * something else.
 */
async function fill({ granite, others }: { granite: object[]; others: object[] }, floor: number) {
  const model = createFakeModel();
  const embeddingModel = { ...model, profile: { ...model.profile, similarityFloor: floor } };
  const core = createCore({ ...storage, embeddingModel });
  for (const captures of [granite, others])
    for (let at = 0; at < captures.length; at += 100) await core.capture(LOCAL_USER, captures.slice(at, at + 100));
  const timesEmbedded = () => model.embedded.filter((text) => text === 'granite').length;
  return { core, timesEmbedded };
}

test('QRY-3: a search ends when fewer memories than its limit score above the floor', async () => {
  const granite = Array.from({ length: 40 }, (_, at) => ({ pageText: `granite ${at}` }));
  const others = Array.from({ length: 90 }, (_, at) => ({ pageText: `water ${'hot cup '.repeat(at + 1)}` }));
  const { core, timesEmbedded } = await fill({ granite, others }, 0.5);
  const { answer, retrieval } = await core.query(LOCAL_USER, 'granite', { limit: 50 });
  expect([answer.results.length, retrieval, timesEmbedded()]).toEqual([40, 'hybrid', 1]);
});

test('QRY-3, QRY-10: a search that goes deeper embeds its query once', async () => {
  const url = 'https://news.example/a';
  const granite = Array.from({ length: 180 }, (_, day) => ({ url, pageText: `granite granite granite ${day}` }));
  const others = Array.from({ length: 12 }, (_, at) => ({
    pageText: `One of many words is granite, and water is not ${at}.`,
  }));
  const { core, timesEmbedded } = await fill({ granite, others }, 0.1);
  const { answer } = await core.query(LOCAL_USER, 'granite', { limit: 50 });
  expect([answer.results.length, timesEmbedded()]).toEqual([13, 1]);
});
