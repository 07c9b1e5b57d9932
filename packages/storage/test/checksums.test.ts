import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Core, createCore, LOCAL_USER } from '@recollect/core';
import { createFakeClock, createFakeModel } from '@recollect/core/testing';
import { openStorage, type Storage } from '@recollect/storage';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
let file: string;
let storage: Storage;
let core: Core;
const clock = createFakeClock();
const backup = { path: '/b/recollect-1.db', at: '2026-11-01T00:00:00Z', isVerified: true };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  file = join(folder, 'recollect.db');
  storage = await openStorage({ url: `sqlite:${file}`, readers: 0 });
  core = createCore({ ...storage, embeddingModel: createFakeModel(), clock, newestBackup: async () => backup });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const save = async (pageText: string, more = {}) => {
  const { answer } = await core.capture(LOCAL_USER, [{ pageText, url: `https://a.example/${pageText}`, ...more }]);
  return answer.captures[0]?.id ?? '';
};
const warningOf = async (id: string) => (await core.memories.get(LOCAL_USER, id)).warning;
/** Changes the store as a disk would: without the triggers that a statement fires. */
const damage = (statement: string) => {
  const database = new Sqlite(file);
  const triggers = database
    .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_master where type = 'trigger'")
    .all();
  for (const { name } of triggers) database.exec(`drop trigger ${name}`);
  database.exec(statement);
  for (const { sql } of triggers) database.exec(sql);
  database.close();
};
const withChecksum = () => {
  const database = new Sqlite(file, { readonly: true });
  const [count] = database.prepare('select count(*) from memories where seal is not null').pluck().all();
  database.close();
  return count;
};

test('REL-6: every change leaves a memory with a checksum and without a warning', async () => {
  const id = await save('one', { tags: ['a'] });
  expect(withChecksum()).toBe(1);
  const messages = [
    { role: 'user', text: 'How hot for tea?' },
    { role: 'assistant', text: 'Below boiling.' },
  ];
  const chat = { url: 'https://chat.example/1', messages };
  const talk = (await core.capture(LOCAL_USER, [chat])).answer.captures[0]?.id ?? '';
  const changes: (() => Promise<unknown>)[] = [
    () => save('one', { tags: ['b'], note: 'again' }),
    () => save('one', { tags: ['b'], note: 'again' }),
    () => core.memories.update(LOCAL_USER, id, { title: 'New \ud800', tags: ['c'], note: 'n' }),
    () => core.memories.update(LOCAL_USER, id, { text: 'another text' }),
    () => core.bulk.renameTags(LOCAL_USER, ['c'], 'd'),
    () => core.memories.remove(LOCAL_USER, id),
    () => core.memories.restore(LOCAL_USER, id),
    () => core.capture(LOCAL_USER, [{ ...chat, messages: [...messages, { role: 'user', text: 'Thanks.' }] }]),
  ];
  for (const change of changes) {
    await change();
    expect(withChecksum()).toBe(2);
  }
  expect([await warningOf(id), await warningOf(talk)]).toEqual([null, null]);
});

test('REL-6: a changed field or text is returned with a warning that names the newest backup', async () => {
  const statements = [
    "update chunks set text = 'ane'",
    "update memories set title = 'other'",
    "update memories set note = 'other'",
    "update memories set tags = '[\"x]'",
    "update memories set metadata = '[]'",
    "update memories set url = 'https://b.example/one'",
    'update memories set seal = substr(seal, 2)',
  ];
  for (const [at, statement] of statements.entries()) {
    const id = await save(`one ${at}`, { tags: ['a'] });
    expect(await warningOf(id)).toBeNull();
    damage(`${statement} where ${statement.includes('chunks') ? 'memory_id' : 'id'} = '${id}'`);
    expect([statement, await warningOf(id)]).toEqual([statement, expect.stringMatching(/checksum.*recollect-1\.db/)]);
    expect((await core.memories.list(LOCAL_USER)).memories.length).toBe(at + 1);
  }
  expect((await storage.integrity.damaged(100)).length).toBe(statements.length);
});

test('REL-6: a later change of another field does not hide the damage; a new text ends it', async () => {
  const id = await save('one');
  damage("update chunks set text = 'ane'");
  await core.memories.update(LOCAL_USER, id, { tags: ['later'] });
  expect(await warningOf(id)).toMatch(/checksum/);
  await core.memories.update(LOCAL_USER, id, { text: 'one' });
  expect(await warningOf(id)).toBeNull();
});

test('REL-6: a change that knows no checksums removes it, and only the hash of the text is compared', async () => {
  const id = await save('one');
  const database = new Sqlite(file);
  database.exec("update memories set title = 'by hand'");
  database.close();
  expect(withChecksum()).toBe(0);
  expect(await warningOf(id)).toBeNull();
  damage("update chunks set text = 'ane'");
  expect(await warningOf(id)).toMatch(/checksum/);
});

test('REL-6, EXP-1: a memory with damaged lists keeps no other from being read or exported', async () => {
  const id = await save('one', { tags: ['a'] });
  const other = await save('two');
  await core.memories.update(LOCAL_USER, id, { title: 'First' });
  damage(`update memories set tags = '["a', turns = 2, turn_starts = '[0,5' where id = '${id}'`);
  damage(`update memory_history set fields = '["tit', former = '{', actor = '{"client' where memory_id = '${id}'`);
  expect((await core.memories.get(LOCAL_USER, id)).damaged).toBe(true);
  expect((await core.memories.history(LOCAL_USER, id)).history).toMatchObject([{ fields: [], by: null }]);
  const exported = await core.records.export(LOCAL_USER);
  const records: { id: string }[] = [];
  for await (const record of exported) records.push(record);
  expect(records).toMatchObject([{ id, tags: [], turns: { count: 2, starts: null } }, { id: other }]);
  expect(records[0]).toMatchObject({ history: [{ fields: [], by: null, before: null }] });
});

test('BAK-8: a memory whose title and text are given again is no longer damaged', async () => {
  const id = await save('one');
  damage(`update memories set title = 'Onf', content_hash = 'damaged'`);
  expect(await warningOf(id)).toMatch(/checksum/);
  await core.memories.update(LOCAL_USER, id, { title: 'One', text: 'one' });
  expect(await warningOf(id)).toBeNull();
  expect((await core.memories.get(LOCAL_USER, await save('one'))).id).toBe(id);
});

test('REL-6: a store that another program vacuums is not damaged', async () => {
  for (let at = 0; at < 40; at++) await save(`${at}`, { pageText: 'x'.repeat(20_000) + at });
  const other = new Sqlite(file);
  other.pragma('wal_checkpoint(truncate)');
  other.exec('delete from chunks where memory_id in (select id from memories limit 30)');
  other.exec('vacuum');
  other.pragma('wal_checkpoint(truncate)');
  other.close();
  expect(await warningOf(await save('after'))).toBeNull();
  expect(existsSync(`${file}-damaged`)).toBe(false);
});

test('REL-6: the background check completes and checks all memories once a week, and continues after a restart', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 60; at++) ids.push(await save(`number ${at}`));
  ids.sort();
  await core.memories.remove(LOCAL_USER, ids[58] ?? '');
  damage(
    `update memories set seal = null where id <= '${ids[30]}'; update chunks set text = 'x' where memory_id in ('${ids[3]}', '${ids[55]}', '${ids[58]}')`,
  );
  expect(await core.scrub()).toEqual({ damaged: [{ userId: LOCAL_USER, id: ids[3] }], isDone: false });
  const again = createCore({ ...storage, clock });
  expect(await again.scrub()).toEqual({
    damaged: [ids[55], ids[58]].map((id) => ({ userId: LOCAL_USER, id })),
    isDone: true,
  });
  expect(await again.scrub()).toEqual({ damaged: [], isDone: true });
  expect(withChecksum()).toBe(59);
  clock.advance(7 * 86_400_000);
  expect((await again.scrub()).damaged).toHaveLength(1);
});

test('IMG-3: a picture that the disk has changed is not shown', async () => {
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAIUlEQVR4AWzIsQkAAAwCwWCbFV3RGbUXH745POUeN5oYAAAA//9BasjqAAAABklEQVQDABnkCmZrpifgAAAAAElFTkSuQmCC';
  const id = await save('shown', { picture: { type: 'image/png', data } });
  const { bytes } = await core.memories.picture(LOCAL_USER, id, 'picture');
  expect(Buffer.from(bytes).toString('base64')).toBe(data);
  damage(`update pictures set bytes = x'89504e47'`);
  await expect(core.memories.picture(LOCAL_USER, id, 'picture')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
