import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openDoctor, openReplacement, openStorage } from '@recollect/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let file: string;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-texts-'));
  file = join(folder, 'recollect.db');
  url = `sqlite:${file}`;
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the store with its texts in memory, works with it and closes it, which writes the file for 1,000 texts. */
async function use(captures: readonly string[]): Promise<(word: string) => number> {
  const storage = await openStorage({ url, readers: 1, textMemoryMb: 64 });
  const core = createCore({ ...storage, embeddingModel: null });
  for (let at = 0; at < captures.length; at += 100)
    await core.capture(
      LOCAL_USER,
      captures.slice(at, at + 100).map((pageText) => ({ pageText })),
    );
  await storage.textIndex.warmUp?.();
  const rows = new Map<string, number>();
  for (const word of ['tea', 'coffee']) {
    const query = { terms: [[word]], prefix: null };
    const { hits } = await storage.textIndex.search(LOCAL_USER, query, { limit: 2_000, filter: {} });
    rows.set(word, hits.length);
  }
  await storage.close();
  return (word) => rows.get(word) ?? 0;
}

const textsOf = (word: string) => Array.from({ length: 1_000 }, (_, at) => `${word} in cup ${at}`);

test('REL-28: a restore moves the file aside, and searches find the texts of the backup', async () => {
  await use(textsOf('tea'));
  const backup = join(folder, 'backup.db');
  await copyFile(file, backup);
  await use(textsOf('coffee'));
  const replacement = await openReplacement(url);
  const { isGood } = await replacement.stage(1, (target) => copyFile(backup, target));
  const aside = isGood ? await replacement.commit(new Date()) : null;
  await replacement.close();
  expect([existsSync(`${file}-texts`), existsSync(join(aside ?? '', 'recollect.db-texts'))]).toEqual([false, true]);
  const count = await use([]);
  expect([count('tea'), count('coffee')]).toEqual([1_000, 0]);
});

test('REL-28: the file of a later state is not used for an older copy of the store', async () => {
  await use(textsOf('tea'));
  const older = join(folder, 'older.db');
  await copyFile(file, older);
  await use(textsOf('coffee'));
  await copyFile(older, file);
  const count = await use(['coffee']);
  expect([count('tea'), count('coffee')]).toEqual([1_000, 1]);
});

test('REL-28: a repair removes the file', async () => {
  await use(textsOf('tea'));
  expect(existsSync(`${file}-texts`)).toBe(true);
  const doctor = await openDoctor(url);
  await doctor.fix('text');
  await doctor.close();
  expect(existsSync(`${file}-texts`)).toBe(false);
  const count = await use([]);
  expect([count('tea'), count('coffee')]).toEqual([1_000, 0]);
});
