import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openReplacement } from '@recollect/storage';
import { expect, test } from 'vitest';
import { makeStore } from './stores.js';

test('REL-8: the next process that opens the store removes the files of a killed restore, and keeps the files of a running one', async () => {
  const store = await makeStore(1);
  try {
    const left = `${store.path}-restoring-killed`;
    await mkdir(left);
    await writeFile(join(left, 'candidate-0.db'), 'a decrypted backup');
    const { storage } = await store.open();
    expect(existsSync(left)).toBe(false);
    await storage.close();
    const replacement = await openReplacement(store.url);
    const working = async () =>
      (await readdir(dirname(store.path))).filter((name) => name.startsWith('recollect.db-restoring-'));
    expect((await working()).length).toBe(1);
    await expect(store.open()).rejects.toMatchObject({ code: 'STORE_BUSY' });
    expect((await working()).length).toBe(1);
    await replacement.close();
    expect(await working()).toEqual([]);
  } finally {
    await store.remove();
  }
});
