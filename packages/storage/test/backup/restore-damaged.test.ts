import { existsSync, readdirSync } from 'node:fs';
import { copyFile, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { examine, LOCAL_USER } from '@recollect/core';
import { openDoctor, openReplacement } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeStore } from './stores.js';

let store: Awaited<ReturnType<typeof makeStore>>;
let backup: string;

beforeEach(async () => {
  store = await makeStore(30);
  backup = join(store.folder, 'backup.db');
  const { storage } = await store.open();
  await storage.copy?.(backup);
  await storage.close();
});
afterEach(() => store.remove());

async function restore(): Promise<string> {
  const replacement = await openReplacement(store.url);
  try {
    await replacement.stage(1, (target) => copyFile(backup, target));
    return (await replacement.commit(new Date())) ?? expect.fail('Nothing was replaced.');
  } finally {
    await replacement.close();
  }
}

/** Damages the store, and opens it, which marks it. */
async function damage(): Promise<string> {
  const database = new Sqlite(store.path);
  // Nothing reads the truncated part.
  database.exec('create table unread as select zeroblob(50000) as content');
  database.close();
  await truncate(store.path, (await stat(store.path)).size - 8192);
  expect(await problemWhenOpened()).toBe('STORE_DAMAGED');
  return `${store.path}-damaged`;
}

async function problemWhenOpened(): Promise<string | undefined> {
  const { storage, core } = await store.open();
  try {
    expect((await core.memories.list(LOCAL_USER)).memories.length).toBe(30);
    return storage.inspector.problem()?.code;
  } finally {
    await storage.close();
  }
}

async function examineStore(fixes: boolean) {
  const doctor = await openDoctor(store.url);
  try {
    return await examine({ doctor, newestBackup: async () => null, now: new Date(), fixes });
  } finally {
    await doctor.close();
  }
}

test('REL-6, REL-8: a damaged store that was replaced by a backup is whole', async () => {
  const mark = await damage();
  const folder = await restore();
  expect(existsSync(mark)).toBe(false);
  expect(readdirSync(folder)).toContain(basename(mark));
  expect((await examineStore(false)).ok).toBe(true);
  expect(await problemWhenOpened()).toBeUndefined();
});

test('REL-6: a mark that a former restore has left does not keep the restored store from opening', async () => {
  const mark = await damage();
  const folder = await restore();
  await copyFile(join(folder, basename(mark)), mark);
  expect(await problemWhenOpened()).toBeUndefined();
  expect(existsSync(mark)).toBe(false);
});

test('REL-6, REL-8: a restored store is examined and repaired before anything else has opened it', async () => {
  await restore();
  expect((await examineStore(false)).ok).toBe(true);
  expect((await examineStore(true)).ok).toBe(true);
  expect(await problemWhenOpened()).toBeUndefined();
});

test('REL-8: a journal of the former store is not applied to the restored one', async () => {
  await writeFile(`${store.path}-journal`, 'left by a kill');
  const folder = await restore();
  expect(existsSync(`${store.path}-journal`)).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['recollect.db', 'recollect.db-journal']);
});
