import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { openStorage } from '@recollect/storage';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteDialect } from '../dist/sqlite/dialect.js';
import { revert } from './revert.js';

test('MEM-6: a store of an earlier version no longer counts the tags of its trash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  const open = async () => {
    const storage = await openStorage({ url, readers: 0 });
    return { ...createCore(storage), close: storage.close };
  };
  try {
    const former = await open();
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
    const rows = ['a', 'c'].map((tag) => ({ user_id: LOCAL_USER, key: tag, tag, memory_id: gone }));
    await writer.insertInto('memory_tags').values(rows).execute();
    await sqliteDialect.migrations['0009-faster-counts']?.up(writer);
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

test('MEM-10, IMP-1: the former texts of a store of an earlier version are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    const former = await openStorage({ url, readers: 0 });
    const { answer } = await createCore(former).capture(LOCAL_USER, [{ pageText: 'present "text"', title: 'Now' }]);
    const id = answer.captures[0]?.id ?? '';
    await former.close();
    revert(join(folder, 'recollect.db'), '0012-former-texts');
    const { writer, close } = await sqliteDialect.connect(url, { readers: 1 });
    const entry = (values: object) => ({
      user_id: LOCAL_USER,
      memory_id: id,
      change_id: 'change',
      kind: 'edited' as const,
      actor: null,
      at: '2026-01-01T00:00:00.000Z',
      elapsed: 0,
      fields: JSON.stringify(Object.keys(values)),
      former: JSON.stringify(values),
    });
    const before = { title: 'Was', text: 'former "text"\n🎈' };
    const rows = [entry(before), entry({ text: '' }), entry({ note: null })];
    await writer.insertInto('memory_history').values(rows).execute();
    await close();

    const storage = await openStorage({ url, readers: 0 });
    const { memories } = createCore(storage);
    expect(await memories.state(LOCAL_USER, id, 0)).toMatchObject(before);
    expect(await memories.state(LOCAL_USER, id, 1)).toMatchObject({ title: 'Now', text: '' });
    expect(await memories.state(LOCAL_USER, id, 2)).toMatchObject({ text: 'present "text"', note: null });
    const contentHash = createHash('sha256').update(`\n${before.text}`).digest('hex');
    expect(await storage.memories.withFormerText(LOCAL_USER, [contentHash])).toEqual([{ contentHash, id }]);
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('QRY-20: the pages of a store of an earlier version are found by author, site and address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  try {
    const former = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const captures = [
      { pageText: 'Of tea.', url: 'https://kettle.test/steeping', metadata: { author: 'Ada Quill' }, tags: ['drink'] },
      { pageText: 'gone', url: 'https://kettle.test/gone' },
    ];
    const { answer } = await createCore(former).capture(LOCAL_USER, captures);
    await createCore(former).memories.remove(LOCAL_USER, answer.captures[1]?.id ?? '');
    await former.close();
    revert(path, '0026-sources');
    const { writer, close } = await sqliteDialect.connect(`sqlite:${path}`, { readers: 1 });
    await sql`insert into chunk_text (chunk_text) values ('delete-all')`.execute(writer);
    await sql`insert into chunk_text (rowid, scope, title, body, notes)
      select c.id, '', m.title, c.text, 'drink' from chunks c join memories m on m.id = c.memory_id
      where m.deleted_at is null`.execute(writer);
    await close();

    const present = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const { query } = createCore(present);
    for (const words of ['quill', 'kettle', 'steeping', 'drink', 'tea']) {
      const { results } = (await query(LOCAL_USER, words)).answer;
      expect([words, results.map(({ id }) => id)]).toEqual([words, [answer.captures[0]?.id]]);
    }
    expect((await query(LOCAL_USER, 'ketle')).answer.corrected).toEqual({ from: 'ketle', to: 'kettle' });
    await present.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('QRY-13, QRY-14: the words of a store of an earlier version are found in other spellings, and mistyped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  try {
    const former = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const captures = [
      { pageText: "O'Brien paid 48,250 in the Straße ёлка", tags: ['paid'], note: 'a 🦄' },
      { pageText: 'gone' },
    ];
    const { answer } = await createCore(former).capture(LOCAL_USER, captures);
    await createCore(former).memories.remove(LOCAL_USER, answer.captures[1]?.id ?? '');
    await former.close();
    revert(path, '0018-spellings');
    // Earlier versions wrote only the words themselves.
    const { writer, close } = await sqliteDialect.connect(`sqlite:${path}`, { readers: 1 });
    await sql`insert into chunk_text (chunk_text) values ('delete-all')`.execute(writer);
    await close();

    const present = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const { query } = createCore(present);
    for (const words of ['obrien', '48250', 'strasse', '🦄', 'paid', 'елка']) {
      const { results } = (await query(LOCAL_USER, words)).answer;
      expect([words, results.map(({ id }) => id)]).toEqual([words, [answer.captures[0]?.id]]);
    }
    expect((await query(LOCAL_USER, 'gone')).answer.results).toEqual([]);
    expect((await query(LOCAL_USER, 'strase')).answer).toMatchObject({
      corrected: { from: 'strase', to: 'straße' },
      results: [{ id: answer.captures[0]?.id }],
    });
    await present.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
