import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCore, LOCAL_USER } from '@recollect/core';
import { createFakeModel } from '@recollect/core/testing';
import { openStorage } from '@recollect/storage';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checksumOf, hashOf } from '../dist/memories/checksum.js';
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
    expect(await storage.memories.withPreviousText(LOCAL_USER, [contentHash])).toEqual([{ contentHash, id }]);
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

test('QRY-13: Arabic and Hebrew words of a store of an earlier version are found without their proclitics', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  try {
    const former = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const captures = [{ pageText: 'תה' }, { pageText: 'Tea', note: 'הספר' }, { pageText: 'gone הספר' }];
    const { answer } = await createCore(former).capture(LOCAL_USER, captures);
    await createCore(former).memories.remove(LOCAL_USER, answer.captures[2]?.id ?? '');
    await former.close();
    revert(path, '0031-proclitics');
    // Earlier versions wrote only the words themselves.
    const { writer, close } = await sqliteDialect.connect(`sqlite:${path}`, { readers: 1 });
    await sql`delete from chunk_text where rowid in (select id from chunks where text = 'Tea')`.execute(writer);
    await sql`insert into chunk_text (rowid, scope, title, body, notes)
      select id, '', '', text, 'הספר' from chunks where text = 'Tea'`.execute(writer);
    await close();

    const present = await openStorage({ url: `sqlite:${path}`, readers: 0 });
    const { results } = (await createCore(present).query(LOCAL_USER, 'ספר')).answer;
    expect(results.map(({ id }) => id)).toEqual([answer.captures[1]?.id]);
    await present.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('CAP-12, CAP-16, CAP-17: a store of an earlier version gets routes, links and files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const path = join(folder, 'recollect.db');
  const url = `sqlite:${path}`;
  try {
    const former = await openStorage({ url, readers: 0 });
    const app = 'https://app.example/';
    const { answer } = await createCore(former).capture(LOCAL_USER, [
      { url: `${app}#/leek`, pageText: 'Leek soup' },
      { url: `${app}#/plum`, pageText: 'Plum cake' },
      { url: 'https://moss.example/#top', pageText: 'Moss', metadata: { content: 'link' } },
      { pageText: 'A note', metadata: { content: 'link' } },
      { pageText: 'A file', fileName: 'soups.md' },
    ]);
    const [leek = '', plum = '', link = '', note = '', file = ''] = answer.captures.map(({ id }) => id);
    await createCore(former).memories.update(LOCAL_USER, plum, { text: 'Plum cake with sugar' });
    await former.close();
    revert(path, '0027-routes-links-files');
    const { writer, close } = await sqliteDialect.connect(url, { readers: 1 });
    // Earlier versions left out all fragments, and had no type for files.
    const rows = await writer.selectFrom('memories').selectAll().execute();
    const texts: Record<string, string> = { [leek]: 'Leek soup', [plum]: 'Plum cake with sugar', [file]: 'A file' };
    for (const row of rows) {
      const text = texts[row.id];
      if (text === undefined) continue;
      const old = {
        ...row,
        url_key: row.url === null ? null : app,
        source_type: row.id === file ? 'note' : row.source_type,
      } as typeof row;
      const content_hash = hashOf(old.url_key, text);
      const { url_key, source_type } = old;
      const seal = checksumOf({ ...old, content_hash }, text);
      await writer
        .updateTable('memories')
        .set({ url_key, source_type, content_hash, seal })
        .where('id', '=', row.id)
        .execute();
    }
    await writer.deleteFrom('former_hashes').execute();
    await close();

    const present = await openStorage({ url, readers: 0 });
    const core = createCore(present);
    const get = (id: string) => core.memories.get(LOCAL_USER, id);
    expect((await get(leek)).otherCaptures).toEqual([]);
    expect((await core.memories.lookup(LOCAL_USER, [app])).found).toEqual([]);
    expect([(await get(link)).isLink, (await get(note)).isLink]).toEqual([true, false]);
    expect([(await get(file)).sourceType, (await get(note)).sourceType]).toEqual(['file', 'note']);
    expect([(await get(leek)).damaged, (await get(plum)).damaged, (await get(file)).damaged]).toEqual([
      false,
      false,
      false,
    ]);
    const again = await core.capture(LOCAL_USER, [{ url: `${app}#/leek`, pageText: 'Leek soup' }]);
    expect(again.answer.captures[0]).toMatchObject({ id: leek, status: 'duplicate' });
    const edited = [{ url: `${app}#/plum`, pageText: 'Plum cake' }];
    const imported = await core.capture(LOCAL_USER, edited, { importId: 'i1' });
    expect(imported.answer.captures[0]).toMatchObject({ id: plum, status: 'duplicate' });
    await present.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('SYS-4, IDX-1, MEM-8: values that each change updates are computed for a store of an earlier version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    const look = async () => {
      const storage = await openStorage({ url, readers: 0 });
      const core = createCore({ ...storage, embeddingModel: createFakeModel() });
      const titles = async (sort: 'title' | 'longest') =>
        (await core.memories.list(LOCAL_USER, { sort })).memories.map(({ title }) => title);
      const seen = {
        counts: await storage.inspector.counts(LOCAL_USER),
        pictures: await storage.pictures.size(LOCAL_USER),
        state: { ...(await core.indexing.state(LOCAL_USER)), latestJob: null, chunksPerSecond: 0, secondsLeft: 0 },
        users: await storage.memories.users(),
        orders: [await titles('title'), await titles('longest')],
      };
      await storage.close();
      return seen;
    };
    const former = await openStorage({ url, readers: 0 });
    const withModel = createCore({ ...former, embeddingModel: createFakeModel() });
    await withModel.capture(LOCAL_USER, [
      { pageText: 'short', title: 'Éclair' },
      { pageText: 'long '.repeat(2_000), title: 'zoo' },
    ]);
    const { answer } = await createCore(former).capture(LOCAL_USER, [{ pageText: 'pending', title: 'Apple' }]);
    await createCore(former).highlights.create(LOCAL_USER, answer.captures[0]?.id ?? '', { quote: 'pending' });
    await former.close();
    const before = await look();
    expect(before.orders).toEqual([
      ['Apple', 'Éclair', 'zoo'],
      ['zoo', 'Apple', 'Éclair'],
    ]);
    expect([before.state.total, before.state.withoutEmbeddings, before.counts.highlights]).toEqual([3, 1, 1]);
    revert(join(folder, 'recollect.db'), '0029-kept-counts');
    expect(await look()).toEqual(before);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('HLT-5, HLT-6: the highlights of an earlier version are yellow, and none was reviewed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    const former = await openStorage({ url, readers: 0 });
    const core = createCore(former);
    const { answer } = await core.capture(LOCAL_USER, [{ pageText: 'Green tea is steeped.' }]);
    const { id } = await core.highlights.create(LOCAL_USER, answer.captures[0]?.id ?? '', { quote: 'Green tea' });
    await former.close();
    revert(join(folder, 'recollect.db'), '0048-highlight-colours');
    const storage = await openStorage({ url, readers: 0 });
    const tomorrow = new Date(Date.now() + 2 * 86_400_000);
    const { highlights } = createCore({ ...storage, clock: { now: () => tomorrow } });
    expect(await highlights.review(LOCAL_USER)).toMatchObject({
      highlights: [{ id, colour: 'yellow', reviewedAt: null, dismissed: false, decision: null }],
    });
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('MEM-16: a store of an earlier version gets the links between its notes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    const former = await openStorage({ url, readers: 0 });
    const { answer } = await createCore(former).capture(LOCAL_USER, [
      { pageText: 'See [[green tea]].', fileName: 'Pots.md' },
      { pageText: 'Steep it.', fileName: 'drinks/Green Tea.md' },
    ]);
    await former.close();
    revert(join(folder, 'recollect.db'), '0030-note-links');
    const storage = await openStorage({ url, readers: 0 });
    const [pots, tea] = answer.captures.map(({ id }) => id);
    const { memories } = createCore(storage);
    expect(await memories.links(LOCAL_USER, pots ?? '')).toMatchObject({ links: [{ target: 'green tea', id: tea }] });
    expect(await memories.links(LOCAL_USER, tea ?? '')).toMatchObject({ links: [], backlinks: [{ id: pots }] });
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('MEM-21: notes of earlier versions get links by the addresses that they have', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-'));
  const url = `sqlite:${join(folder, 'recollect.db')}`;
  try {
    const former = await openStorage({ url, readers: 0 });
    const { answer } = await createCore(former).capture(LOCAL_USER, [
      { pageText: 'See https://tea.example/green.' },
      { pageText: 'Steep it.', url: 'https://tea.example/green' },
      { pageText: 'See https://tea.example/green.', url: 'https://other.example/' },
    ]);
    await former.close();
    revert(join(folder, 'recollect.db'), '0052-links-by-address');
    const storage = await openStorage({ url, readers: 0 });
    const [note, page] = answer.captures.map(({ id }) => id);
    const { memories } = await createCore(storage).memories.linkedFrom(LOCAL_USER, page ?? '');
    expect(memories.map(({ id }) => id)).toEqual([note]);
    await storage.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
