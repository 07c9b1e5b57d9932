import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, type KeyHolder } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';

const NOBODY: KeyHolder = { userId: '', role: 'guest', apiKeyId: '', keyName: '', scopes: [], capturesPerMinute: null };
/** Tables whose rows about a person remain: a position, and the ids of deleted memories. */
const KEPT = ['integrity_round', 'index_changes'];

test('PPL-2: leaves no row of a deleted person in any table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'people.db');
  const storage = await openStorage({ url: `sqlite:${path}`, readers: 0 });
  const core = createCore(storage);
  const { id } = await core.people.create({ name: 'Ann' });
  const rowsOf = () => {
    const database = new Sqlite(path, { readonly: true });
    const tables = database
      .prepare(
        "select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'user_id'",
      )
      .pluck()
      .all() as string[];
    const count = (table: string) =>
      database.prepare(`select count(*) from ${table} where user_id = ?`).pluck().get(id);
    const counts = tables
      .filter((table) => !KEPT.includes(table))
      .map((table) => [table, Number(count(table))] as const);
    database.close();
    return Object.fromEntries(counts.filter(([, rows]) => rows > 0));
  };
  const { answer } = await core.capture(
    id,
    [{ title: 'Tea', url: 'https://a.example/', pageText: 'Green tea is steeped.', tags: ['tea'] }],
    { idempotencyKey: 'once' },
  );
  const memoryId = answer.captures[0]?.id ?? '';
  await core.memories.update(id, memoryId, { note: 'warm' });
  await core.highlights.create(id, memoryId, { quote: 'Green tea' });
  await core.savedSearches.create(id, { name: 'Tea', query: 'tea' });
  const { key } = await core.apiKeys.create(id);
  const holder = await core.apiKeys.authenticate(key);
  if (holder !== null) await core.sessions.open(holder, 'Browser');
  await core.pairings.create(id);
  await core.indexing.queue(id);
  expect(Object.keys(rowsOf()).length).toBeGreaterThan(10);
  expect(await core.people.remove(id)).toMatchObject({ memories: 1, highlights: 1, apiKeys: 1, sessions: 1 });
  expect(rowsOf()).toEqual({});
  expect(await core.apiKeys.authenticate(key)).toBeNull();
  await storage.close();
  await rm(folder, { recursive: true });
});

test('PPL-1: a suspended person has no access, and the local user cannot be suspended', async () => {
  const storage = await openStorage({ url: 'sqlite::memory:', readers: 0 });
  const { people, apiKeys, sessions } = createCore(storage);
  const { id } = await people.create({ name: 'Ann' });
  const { key } = await apiKeys.create(id);
  const holder = await apiKeys.authenticate(key);
  expect(holder?.userId).toBe(id);
  const { token } = await sessions.open(holder ?? NOBODY, 'Browser');
  expect((await sessions.authenticate(token))?.userId).toBe(id);
  await people.change(id, { state: 'suspended' });
  expect([await apiKeys.authenticate(key), await sessions.authenticate(token)]).toEqual([null, null]);
  await people.change(id, { state: 'active' });
  expect((await apiKeys.authenticate(key))?.userId).toBe(id);
  for (const change of [{ state: 'suspended' as const }, { role: 'member' as const }])
    await expect(people.change('local', change)).rejects.toThrow('always has access');
  await expect(people.remove('local')).rejects.toThrow('cannot be deleted');
  await expect(people.change('unknown', { name: 'x' })).rejects.toThrow('no person');
  await expect(people.change(id, { name: ' ' })).rejects.toThrow('name');
  await storage.close();
});
