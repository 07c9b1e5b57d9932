import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';

/** A data folder with a store. */
export async function makeStore(memories = 30) {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-backup-'));
  const path = join(folder, 'data', 'recollect.db');
  const url = `sqlite:${path}`;
  const open = async () => {
    const storage = await openStorage({ url, readers: 0 });
    return { storage, core: createCore(storage) };
  };
  const { storage, core } = await open();
  for (let start = 0; start < memories; start += 50) {
    const captures = Array.from({ length: Math.min(50, memories - start) }, (_, index) => ({
      title: `Memory ${start + index}`,
      pageText: `Text of memory ${start + index}. ${'Tea and bread. '.repeat(40)}`,
      tags: ['kitchen'],
    }));
    await core.capture(LOCAL_USER, captures);
  }
  await storage.close();
  return { folder, path, url, open, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Every row of every table of a database file, read from a copy of it, with its WAL. */
export async function rowsOf(path: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-rows-'));
  try {
    const copy = join(folder, 'copy.db');
    for (const ending of ['', '-wal']) if (existsSync(path + ending)) await copyFile(path + ending, copy + ending);
    const database = new Sqlite(copy);
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_stat%'")
      .pluck()
      .all() as string[];
    const rows = names.sort().map((name) => {
      const all = database.prepare(`select * from "${name}"`).all();
      return [
        name,
        all
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n'),
      ];
    });
    database.close();
    return Object.fromEntries(rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bytes 18 and 19 of the header: 1 for a file without a WAL, 2 for one with. */
export function journalModesOf(path: string): number[] {
  return [...readFileSync(path).subarray(18, 20)];
}
