import { writeExport } from '@recollect/contract';
import { createCore } from '@recollect/core';
import {
  dialectOf,
  type MoveOptions,
  moveStore,
  openSource,
  openStorage,
  openTarget,
  type StorageDialect,
} from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { tableNames } from '../../dist/tables.js';

/** A store, and its dialect where the URL does not name it. */
export interface Place {
  url: string;
  dialect?: StorageDialect;
}

/** Moves a store as `recollect migrate` does. */
export async function move(from: Place, to: Place, options?: MoveOptions) {
  const source = await openSource(from.dialect ?? dialectOf(from.url), from.url, { readers: 0 });
  try {
    const target = await openTarget(to.dialect ?? dialectOf(to.url), to.url, { readers: 0 });
    try {
      return await moveStore(source, target, options);
    } finally {
      await target.store.close();
    }
  } finally {
    await source.store.close();
  }
}

/** All rows of each table of a store in a file, without the numbers of words. */
export function rowsOf(path: string): Record<string, object[]> {
  const store = new Sqlite(path, { readonly: true });
  try {
    const read = (name: string) => {
      const columns = (store.pragma(`table_info(${name})`) as { name: string }[]).map((column) => column.name);
      const kept = columns.filter((column) => !(name === 'words' && column === 'id')).join();
      return store.prepare(`select ${kept} from ${name} order by ${kept}`).all() as object[];
    };
    return Object.fromEntries(tableNames.map((name) => [name, read(name)]));
  } finally {
    store.close();
  }
}

/** The rows that a store in a file has after its move to a database and back, or to another file. */
export function rowsAfterMove(before: Record<string, object[]>): Record<string, object[]> {
  return { ...before, leases: (before.leases ?? []).map((lease) => ({ ...lease, started: 0, ends: 0 })) };
}

/** The export of each person of a store. */
export async function exportsOf({ url, dialect }: Place): Promise<string[]> {
  const storage = await openStorage({ url, readers: 0, dialect });
  try {
    const core = createCore(storage);
    const texts: string[] = [];
    for (const { id } of await storage.users.list()) {
      let text = '';
      for await (const line of writeExport(core.records.export(id), { program: '1', now: new Date(0) })) text += line;
      texts.push(text);
    }
    return texts;
  } finally {
    await storage.close();
  }
}
