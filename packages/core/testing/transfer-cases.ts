import type { ExportRecord } from '@recollect/contract';
import { contentHashOf } from '#core/drafts/normalise-capture.js';
import { foldHighlight } from '#core/highlights/highlights.js';
import type { NewRecord, RecordOutcome } from '#core/ports/index.js';
import { createId } from '#core/text/create-id.js';
import { equal, ok } from './assert.js';
import type { Check, Harness } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const ALL = { filter: {}, changedSince: null, previousLength: 1_000 };
const PENDING = { now: CHANGE.now, indexing: { status: 'pending' } } as const;
const AT = '2026-01-31T12:00:00.000Z';
const LATER = '2026-02-01T12:00:00.000Z';

type Entry = ExportRecord['history'][number];

/** Registers the cases for reading whole memories, and storing them again. */
export function checkTransfer(check: Check): void {
  check('EXP-2: reads a memory with all that belongs to it', async (storage) => {
    const { memories, highlights } = storage;
    const draft = createNewMemory({ title: 'Old', tags: ['a'], chunks: ['one ', 'two'], url: 'https://a.example/x' });
    const { id } = draft.memory;
    await storage.insert('ann', draft);
    const changeMark = { changeId: createId(new Date(AT)), actor: { client: 'web' as const, name: null, key: null } };
    await memories.update('ann', id, { title: 'New' }, { ...CHANGE, changeMark });
    const highlight = createHighlight(id);
    await highlights.insert('ann', highlight, 10);
    await memories.trash('ann', id, LATER, changeMark);
    const [record, ...others] = await scan(storage);
    equal([record?.title, record?.text, record?.deletedAt, others.length], ['New', 'one two', LATER, 0], 'memory');
    equal(record?.highlights, [withoutMemory(highlight)], 'highlights');
    equal(
      record?.history.map(({ kind, before }) => [kind, before]),
      [
        ['edited', { title: 'Old' }],
        ['deleted', null],
      ],
      'history, oldest first',
    );
    equal(await scan(storage, 'bob'), [], "another user's");
  });

  check('EXP-2: reads in the order of ids, by filter and by change', async (storage) => {
    const drafts = Array.from({ length: 450 }, (_, index) => createNewMemory({ tags: index < 3 ? ['few'] : [] }));
    await storage.insert('ann', ...drafts);
    const ids = drafts.map(({ memory }) => memory.id).sort();
    const all = await scan(storage);
    equal(
      all.map(({ id }) => id),
      ids,
      'all',
    );
    const [first = '', second = '', third = ''] = drafts.slice(0, 3).map(({ memory }) => memory.id);
    await storage.memories.trash('ann', first, LATER);
    await storage.highlights.insert('ann', { ...createHighlight(third), updatedAt: LATER }, 10);
    const idsOf = async (selection: Partial<typeof ALL>) =>
      (await scan(storage, 'ann', { ...ALL, ...selection })).map(({ id }) => id);
    equal(await idsOf({ filter: { tag: 'few' } } as object), [second, third].sort(), 'by tag, without the trash');
    equal(await idsOf({ changedSince: LATER } as object), [first, third].sort(), 'changed since');
    equal(await storage.records.count('ann', { ...ALL, changedSince: LATER }), 2, 'count');
  });

  check('EXP-2: leaves out former values beyond the limit, the oldest first', async (storage) => {
    const draft = createNewMemory({ title: 'x'.repeat(600) });
    await storage.insert('ann', draft);
    const changeMark = { changeId: createId(new Date(AT)), actor: null };
    for (const title of ['y'.repeat(600), 'z'])
      await storage.memories.update('ann', draft.memory.id, { title }, { ...CHANGE, changeMark });
    const [record] = await scan(storage);
    equal(
      record?.history.map(({ before }) => before?.title?.[0] ?? null),
      [null, 'y'],
      'former titles',
    );
  });

  check('EXP-4: stores a record with its id and times, so that search finds it', async (storage) => {
    const reading = { starred: true, readState: 'reading', progress: 0.5, openedAt: LATER, place: 'later' } as const;
    const given = { text: 'Green tea is steeped.', tags: ['kept'], note: 'hot', isLink: true };
    const record = createRecord({ ...given, ...reading });
    equal(await insert(storage, record), ['created'], 'outcome');
    equal(await scan(storage), [record], 'the same record');
    equal(await storage.search('ann', 'tea'), [record.id], 'full text');
    equal(await storage.search('ann', 'hot'), [record.id], 'note');
    equal(
      (await storage.memories.tags('ann', 5)).map(({ tag }) => tag),
      ['kept'],
      'tags',
    );
    equal((await storage.memories.pendingChunks('ann', 'm', 5)).length, 1, 'chunks to embed');
    equal((await storage.indexingJobs.latest('ann'))?.remainingCount, 1, 'job');
    ok((await storage.changes.latest('ann')) > 0, 'recorded in the change sequence');
    equal(await insert(storage, record), ['duplicate'], 'again');
    equal(await insert(storage, { ...record, text: 'Other.' }), ['conflict'], 'with another text');
    equal((await scan(storage))[0]?.text, record.text, 'text after a conflict');
  });

  check('IMP-1: a memory is known by the former texts that its record has', async (storage) => {
    const entry = { changeId: 'c', kind: 'edited', by: null, at: AT, fields: ['text'] } satisfies Partial<Entry>;
    const history: Entry[] = [
      { ...entry, before: { text: 'tpyo' } },
      { ...entry, before: null },
    ];
    const record = createRecord({ history, url: 'https://a.example/' });
    await insert(storage, record);
    const contentHash = await contentHashOf('https://a.example/', 'tpyo');
    equal(
      await storage.memories.withPreviousText('ann', [contentHash]),
      [{ contentHash, id: record.id }],
      'former text',
    );
  });

  check('EXP-4: stores a record of the trash in the trash, and out of every index', async (storage) => {
    const record = createRecord({ deletedAt: LATER, tags: ['gone'] });
    equal(await insert(storage, record), ['created'], 'outcome');
    equal(await scan(storage), [record], 'the same record');
    equal([await storage.search('ann', 'text'), await storage.memories.tags('ann', 5)], [[], []], 'indexes');
    equal(await storage.indexingJobs.latest('ann'), null, 'no job');
    equal(await insert(storage, { ...record, deletedAt: null }), ['trashed'], 'live in the file');
    equal(await insert(storage, record), ['duplicate'], 'again');
    const restored = await storage.memories.restore('ann', record.id, CHANGE);
    ok(typeof restored === 'object', 'can be restored');
    equal(await storage.search('ann', 'text'), [record.id], 'full text after it was restored');
  });

  check('EXP-5: adds missing parts to a memory, and removes nothing', async (storage) => {
    const highlight = { ...withoutMemory(createHighlight('')), reviewedAt: LATER, dismissed: true };
    const record = createRecord({ tags: ['a'], highlights: [highlight] });
    await insert(storage, { ...record, highlights: [] });
    await storage.memories.update('ann', record.id, { tags: ['b'] }, CHANGE);
    equal(await insert(storage, { ...record, lastCapturedAt: LATER }), ['updated'], 'outcome');
    const [stored] = await scan(storage);
    equal([stored?.tags, stored?.lastCapturedAt, stored?.highlights], [['b'], LATER, [highlight]], 'memory');
    equal(await insert(storage, { ...record, highlights: [] }), ['duplicate'], 'a record with less');
    const read = { ...record, readState: 'read', progress: 1, openedAt: LATER } as const;
    equal(await insert(storage, read, read, record), ['updated', 'duplicate', 'duplicate'], 'read in another store');
    equal((await scan(storage))[0]?.readState, 'read', 'read state');
    equal((await scan(storage))[0]?.highlights.length, 1, 'highlights');
    equal(await insert(storage, { ...record, place: 'later' }), ['duplicate'], 'in another place');
    equal((await scan(storage))[0]?.place, 'archive', 'an import moves nothing');
  });

  check('EXP-5: a record with the text of another memory becomes no second one', async (storage) => {
    const present = createRecord({ tags: ['a'] });
    const other = { ...createRecord({ tags: ['b'], note: 'n', starred: true }), text: present.text };
    equal(await insert(storage, present, other), ['created', 'updated'], 'outcomes');
    const [stored, ...more] = await scan(storage);
    equal([stored?.tags, stored?.note, stored?.starred, more.length], [['a', 'b'], 'n', true, 0], 'memory');
    equal(await storage.search('ann', 'n'), [present.id], 'note in full text');
    equal(await insert(storage, other), ['duplicate'], 'again');
    equal(await insertFor('bob', storage, other), ['created'], "another user's text");
  });

  check('EXP-4: knows which records need no chunks', async (storage) => {
    const [present, absent] = [createRecord({ text: 'here' }), createRecord({ text: 'not here' })];
    await insert(storage, present);
    const keys = [present, { ...absent, text: present.text }, absent].map(toDraft);
    const named = keys.map(({ record, contentHash }, index) => ({ id: `${index}-${record.id}`, contentHash }));
    const asked = [{ id: present.id, contentHash: 'other' }, ...named, { id: 'trashed', contentHash: null }];
    const known = await storage.records.known('ann', asked);
    equal([...known].sort(), [present.id, named[0]?.id, named[1]?.id].sort(), 'known');
    equal((await storage.records.known('bob', asked)).size, 0, "another user's");
    const outcomes = await storage.records.insert('ann', [{ ...toDraft(absent), chunks: null }], PENDING);
    equal(outcomes, ['gone'], 'without chunks');
  });

  check('CAP-13: a conversation grows after it was stored from a record', async (storage) => {
    const turns = (...given: string[]) => ({
      url: 'https://chat.example/1',
      contentHash: given.join(),
      chunks: given,
      conversation: {
        turns: given.length,
        starts: given.map((_, index) => given.slice(0, index).join('').length),
        chunksAfter: (count: number, text: string) =>
          given.slice(0, count).join('') === text ? given.slice(count) : null,
      },
    });
    const record = createRecord({ text: 'ab', turns: { count: 2, starts: [0, 1] }, url: 'https://chat.example/1' });
    await insert(storage, record);
    const [grown] = await storage.insert('ann', createNewMemory(turns('a', 'b', 'c')));
    equal([grown?.status, grown?.id], ['updated', record.id], 'a longer capture');
  });
}

async function scan({ records }: Harness, userId = 'ann', selection: typeof ALL = ALL): Promise<ExportRecord[]> {
  const found: ExportRecord[] = [];
  for await (const record of records.scan(userId, selection)) found.push(record);
  return found;
}

const insert = (storage: Harness, ...records: ExportRecord[]) => insertFor('ann', storage, ...records);

function insertFor(userId: string, { records: store }: Harness, ...records: ExportRecord[]): Promise<RecordOutcome[]> {
  return store.insert(userId, records.map(toDraft), PENDING);
}

function toDraft(record: ExportRecord): NewRecord {
  const folded = record.highlights.map(({ quote, note }) => foldHighlight(quote, note));
  const { url, text } = record;
  return { record, urlKey: url, site: url && new URL(url).host, contentHash: `hash ${text}`, chunks: [text], folded };
}

let count = 0;

function createRecord(given: Partial<ExportRecord>): ExportRecord {
  count += 1;
  return {
    id: createId(new Date(AT), count),
    title: `Record ${count}`,
    text: `Some text ${count}.`,
    turns: null,
    url: null,
    sourceType: 'note',
    sourceApp: 'web',
    captureMode: 'page',
    tags: [],
    note: null,
    metadata: { kept: [1, null, { a: 'b' }] },
    page: { author: 'Ann' },
    savedBy: { client: 'cli', name: null, key: null },
    capturedAt: AT,
    lastCapturedAt: AT,
    updatedAt: AT,
    isLink: false,
    starred: false,
    readState: 'unread',
    progress: 0,
    openedAt: null,
    place: 'archive',
    deletedAt: null,
    highlights: [],
    history: [],
    ...given,
  };
}

function createHighlight(memoryId: string) {
  count += 1;
  const [quote, note] = [`passage ${count}`, 'Mark'];
  return {
    id: createId(new Date(AT), count),
    memoryId,
    quote,
    prefix: 'before',
    suffix: 'after',
    note,
    colour: 'green' as const,
    folded: foldHighlight(quote, note),
    createdAt: AT,
    updatedAt: AT,
  };
}

function withoutMemory({ memoryId: _, folded: __, ...highlight }: ReturnType<typeof createHighlight>) {
  return { ...highlight, reviewedAt: null, dismissed: false };
}
