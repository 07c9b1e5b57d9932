import { existsSync, readdirSync } from 'node:fs';
import { chown, copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCAL_USER } from '@recollect/core';
import { openReplacement } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeStore, rowsOf } from './stores.js';

const NOW = new Date('2026-11-23T01:20:33.500Z');

/** A store with a backup of it, and one more memory than the backup. */
async function makeStoreWithBackup() {
  const store = await makeStore(3);
  const backup = join(store.folder, 'backup.db');
  const { storage, core } = await store.open();
  await storage.copy?.(backup);
  await core.capture(LOCAL_USER, [{ pageText: 'Saved after the backup.' }]);
  await storage.close();
  return { ...store, backup };
}

async function restore(url: string, backup: string) {
  const replacement = await openReplacement(url);
  try {
    const inspection = await replacement.stage(1, (target) => copyFile(backup, target));
    return { inspection, folder: inspection.isGood ? await replacement.commit(NOW) : null };
  } finally {
    await replacement.close();
  }
}

test('REL-8: a restore moves the store with its WAL aside, and has every row of the backup', async () => {
  const store = await makeStoreWithBackup();
  try {
    const expected = await rowsOf(store.backup);
    await writeFile(`${store.path}-wal`, 'a stale WAL');
    await writeFile(`${store.path}-shm`, 'a stale index');
    const { folder } = await restore(store.url, store.backup);
    expect(folder).toBe(join(dirname(store.path), 'replaced-2026-11-23T01-20-33Z'));
    expect(readdirSync(folder ?? '').sort()).toEqual(['recollect.db', 'recollect.db-shm', 'recollect.db-wal']);
    expect(await rowsOf(store.path)).toEqual(expected);
    const second = await restore(store.url, store.backup);
    expect(second.folder).toBe(`${folder}-2`);
    expect(readdirSync(dirname(store.path)).filter((name) => name.includes('restoring'))).toEqual([]);
  } finally {
    await store.remove();
  }
});

test('REL-8: a restore works over a damaged and over a missing store', async () => {
  const store = await makeStoreWithBackup();
  try {
    const expected = await rowsOf(store.backup);
    await writeFile(store.path, Buffer.alloc(100_000, 7));
    expect((await restore(store.url, store.backup)).folder).not.toBeNull();
    expect(await rowsOf(store.path)).toEqual(expected);
    await rm(dirname(store.path), { recursive: true });
    expect((await restore(store.url, store.backup)).folder).toBeNull();
    expect(readdirSync(dirname(store.path)).sort()).toEqual(['recollect.db', 'recollect.db-lock']);
    const { storage, core } = await store.open();
    expect((await core.memories.list(LOCAL_USER, {})).memories.length).toBe(3);
    await storage.close();
  } finally {
    await store.remove();
  }
});

test.skipIf(process.getuid?.() !== 0)(
  'REL-8: a store that root restores stays its owner’s (requires root)',
  async () => {
    const store = await makeStoreWithBackup();
    const account = 54_321;
    try {
      await chown(store.path, account, account);
      const { folder } = await restore(store.url, store.backup);
      for (const path of [store.path, folder ?? '']) expect((await stat(path)).uid).toBe(account);
    } finally {
      await store.remove();
    }
  },
);

test('BAK-6: a restore is refused while the store is open, and a store is not opened during a restore', async () => {
  const store = await makeStoreWithBackup();
  try {
    const { storage } = await store.open();
    await expect(openReplacement(store.url)).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await storage.close();
    const replacement = await openReplacement(store.url);
    await expect(store.open()).rejects.toMatchObject({ code: 'STORE_BUSY' });
    await replacement.close();
    await (await store.open()).storage.close();
  } finally {
    await store.remove();
  }
});

test('BAK-5, BAK-6: a backup is compared with a store in use, which is not changed', async () => {
  const store = await makeStoreWithBackup();
  const { storage, core } = await store.open();
  try {
    await core.capture(LOCAL_USER, [{ pageText: 'In the WAL only.' }]);
    const replacement = await openReplacement(store.url, { onlyCompares: true });
    try {
      const write = (path: string) => copyFile(store.backup, path);
      expect(await replacement.stage(0, write)).toMatchObject({ isGood: true });
      expect(await replacement.compare()).toMatchObject({
        ...{ backup: 3, store: 5, onlyInBackup: 0, onlyInStore: 2, changed: 0 },
        days: [{ onlyInBackup: 0, onlyInStore: 2 }],
      });
      await core.capture(LOCAL_USER, [{ pageText: 'Saved beside the comparison.' }]);
      await expect(replacement.commit(new Date())).rejects.toThrow('opened to compare');
    } finally {
      await replacement.close();
    }
    expect((await core.memories.list(LOCAL_USER, {})).memories.length).toBe(6);
    expect(readdirSync(dirname(store.path)).filter((name) => name.includes('restoring'))).toEqual([]);
  } finally {
    await storage.close();
    await store.remove();
  }
});

test('BAK-6: a file that is not a backup, is cut short, damaged or of a newer version changes nothing', async () => {
  const store = await makeStoreWithBackup();
  try {
    const before = await readFile(store.path);
    const filesBefore = readdirSync(dirname(store.path));
    const good = await readFile(store.backup);
    const flipped = Buffer.from(good);
    flipped.fill(0x5a, good.length / 2, good.length / 2 + 20_000);
    const newer = await ofNewerVersion(store.backup);
    const files = [
      ['not-a-store', Buffer.from('hello')],
      ['not-a-store', Buffer.alloc(5_000, 65)],
      ['damaged', good.subarray(0, good.length - 20_000)],
      ['damaged', flipped],
      ['too-new', newer],
    ] as const;
    for (const [problem, content] of files) {
      const path = join(store.folder, 'candidate');
      await writeFile(path, content);
      expect((await restore(store.url, path)).inspection).toEqual({ isGood: false, problem });
      await rm(path);
    }
    expect(await readFile(store.path)).toEqual(before);
    expect(readdirSync(dirname(store.path))).toEqual(filesBefore);
  } finally {
    await store.remove();
  }
});

/** The content of a backup that a later version made. */
async function ofNewerVersion(backup: string): Promise<Buffer> {
  const path = `${backup}-newer`;
  await copyFile(backup, path);
  const database = new Sqlite(path);
  database.exec("insert into kysely_migration values ('9999-not-known-yet', '2030-01-01T00:00:00.000Z')");
  database.close();
  const content = await readFile(path);
  await rm(path);
  return content;
}

test('BAK-5: a restore that was killed after any step leaves the old store, or is completed by the next start', async () => {
  const store = await makeStoreWithBackup();
  const data = dirname(store.path);
  const { storage, core } = await store.open();
  const memories = async () => {
    const opened = await store.open();
    const { memories: listed } = await opened.core.memories.list(LOCAL_USER, {});
    await opened.storage.close();
    return listed.length;
  };
  await core.capture(LOCAL_USER, [{ pageText: 'In the WAL.' }]);
  const content = new Map<string, Buffer>();
  for (const ending of ['', '-wal']) content.set(ending, await readFile(store.path + ending));
  await storage.close();
  const folder = join(data, 'replaced-2026-11-23T01-20-33Z');
  const staging = join(data, 'recollect.db-restoring-x');
  /** The steps of a replacement. A kill leaves the first ones done. */
  const steps = [
    () => mkdir(staging),
    () => copyFile(store.backup, join(staging, 'candidate-0.db')),
    () => mkdir(folder),
    () => rename(join(staging, 'candidate-0.db'), join(folder, 'next-store.db')),
    () => rename(store.path, join(folder, 'recollect.db')),
    () => rename(`${store.path}-wal`, join(folder, 'recollect.db-wal')),
    () => rename(join(folder, 'next-store.db'), store.path),
  ];
  try {
    for (let done = 0; done <= steps.length; done++) {
      await rm(data, { recursive: true });
      await mkdir(data);
      for (const [ending, bytes] of content) await writeFile(store.path + ending, bytes);
      for (const step of steps.slice(0, done)) await step();
      expect([done, await memories()]).toEqual([done, done < 4 ? 5 : 3]);
      expect([done, existsSync(join(folder, 'recollect.db-wal'))]).toEqual([done, done >= 4]);
      // A second restore works on the files that the first has left.
      expect((await restore(store.url, store.backup)).inspection.isGood).toBe(true);
      expect([done, await memories()]).toEqual([done, 3]);
      expect(readdirSync(data).filter((name) => name.includes('restoring'))).toEqual([]);
    }
  } finally {
    await store.remove();
  }
});
