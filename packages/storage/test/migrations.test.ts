import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage, type StorageDialect } from '@recollect/storage';
import { expect, test } from 'vitest';
import { sqliteDialect } from '../dist/sqlite/dialect.js';

test('MEM-6: a store of an earlier version no longer counts the tags of its trash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  const open = async (dialect?: StorageDialect) => {
    const storage = await openStorage({ url, dialect });
    return { ...createCore(storage), close: storage.close };
  };
  try {
    const earlier = Object.entries(sqliteDialect.migrations).filter(([name]) => name < '0009');
    const former = await open({ ...sqliteDialect, migrations: Object.fromEntries(earlier) });
    const captures = [
      { pageText: 'kept', tags: ['a', 'b'] },
      { pageText: 'gone', tags: ['a', 'c'] },
    ];
    const { answer } = await former.capture(LOCAL_USER, captures);
    const gone = answer.captures[1]?.id ?? '';
    await former.memories.remove(LOCAL_USER, gone);
    await former.close();
    // Earlier versions kept these rows.
    const { writer, close } = await sqliteDialect.connect(url, { readers: 1 });
    const rows = ['a', 'c'].map((tag) => ({ user_id: LOCAL_USER, tag, memory_id: gone }));
    await writer.insertInto('memory_tags').values(rows).execute();
    await close();

    const present = await open();
    const tags = async () =>
      (await present.bulk.tags(LOCAL_USER)).tags.map(({ tag, memories }) => `${tag} ${memories}`);
    expect(await tags()).toEqual(['a 1', 'b 1']);
    await present.memories.restore(LOCAL_USER, gone);
    expect(await tags()).toEqual(['a 2', 'b 1', 'c 1']);
    await present.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
