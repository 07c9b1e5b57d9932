import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';

test('QRY-14: of words that are equally near, one that stands with another word of the query is taken', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  try {
    const { capture } = createCore(storage);
    const texts = ['glass of water', 'brass band', 'brass plate', 'brass bell', 'grass in the garden'];
    await capture(
      'ann',
      texts.map((pageText) => ({ pageText })),
    );
    const nearest = (words: string[], beside: string[] = []) =>
      storage.textIndex.nearestWords('ann', { words, beside, prefix: null });
    expect(await nearest(['krass'])).toEqual(['brass']);
    expect(await nearest(['krass'], ['garden'])).toEqual(['grass']);
    expect(await nearest(['garden', 'krass'])).toEqual([null, 'grass']);
  } finally {
    await storage.close();
  }
});

test('QRY-14: a common word is mistyped again once all of its texts are gone, though its count is kept', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const core = createCore(storage);
  const texts = Array.from({ length: 120 }, (_, at) => ({ pageText: `they recieve letter ${at}` }));
  const { answer } = await core.capture(LOCAL_USER, texts);
  await core.capture(LOCAL_USER, [{ pageText: 'we receive a parcel' }]);
  expect((await core.query(LOCAL_USER, 'recieve')).answer.corrected).toBeUndefined();
  for (const { id } of answer.captures) await core.memories.remove(LOCAL_USER, id);
  expect((await core.query(LOCAL_USER, 'recieve')).answer.corrected).toEqual({ from: 'recieve', to: 'receive' });
  await storage.close();
});

test('QRY-14: only words that no live text has are forgotten, in steps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  try {
    const storage = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const core = createCore(storage);
    // More than one step looks at.
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const many = Array.from({ length: 650 }, (_, at) => `quarz${letters[at % 26]}${letters[Math.floor(at / 26)]}q`);
    const { answer } = await core.capture(LOCAL_USER, [
      { title: 'Gone', pageText: `secretword ${many.join(' ')} Straßenreinigung` },
      { title: 'Kept', pageText: 'Die Straßenreinigung kommt am Dienstag.' },
    ]);
    await core.memories.remove(LOCAL_USER, answer.captures[0]?.id ?? '');
    let steps = 0;
    await core.indexing.forgetWords({
      rest: async () => {
        steps += 1;
      },
    });
    // Two with words, and one that finds no more.
    expect(steps).toBe(3);
    await storage.close();
    const database = new Sqlite(path, { readonly: true });
    const words = database.prepare('select word from words order by word').pluck().all();
    database.close();
    expect(words).toEqual(['dienstag', 'kept', 'kommt', 'straßenreinigung']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
