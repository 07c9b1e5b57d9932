import type { Actor } from '@recollect/contract';
import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory, unitVector } from './samples.js';

const DAY = 86_400_000;
const WEB: Actor = { client: 'web', name: null, key: 'laptop' };
const marked = (changeId: string) => ({ ...CHANGE, changeMark: { changeId, actor: WEB } });
const textOf = (text: string, contentHash: string) => ({ text: { chunks: [text], contentHash } });

/** Registers the cases for the history of memories, and for changes of their text. */
export function checkHistory(check: Check): void {
  check('MEM-5: enters each change with who made it and what it replaced, newest first', async (storage) => {
    const { memories, history } = storage;
    const draft = createNewMemory({ title: 'Old', tags: ['a'], note: 'n', chunks: ['before'] });
    const { id } = draft.memory;
    await storage.insert('ann', draft);
    const updated = await memories.update('ann', id, { title: 'New', tags: ['a', 'b'], note: 'n' }, marked('c1'));
    equal(updated !== null && updated !== 'duplicate' && updated.fields, ['title', 'tags'], 'replaced fields');
    await memories.update('ann', id, textOf('after', 'h2'), marked('c2'));
    await memories.trash('ann', id, CHANGE.now, { changeId: 'c3', actor: null });
    await memories.restore('ann', id, marked('c4'));
    const entries = await history.ofMemory('ann', id, 10);
    equal(
      entries.map(({ changeId, memoryId, kind, by, at, fields, before }) => [
        changeId,
        memoryId,
        kind,
        by,
        at,
        fields,
        before,
      ]),
      [
        ['c4', id, 'restored', WEB, CHANGE.now, [], null],
        ['c3', id, 'deleted', null, CHANGE.now, [], null],
        // A list of changes has no texts.
        ['c2', id, 'edited', WEB, CHANGE.now, ['text'], {}],
        ['c1', id, 'edited', WEB, CHANGE.now, ['title', 'tags'], { title: 'Old', tags: ['a'] }],
      ],
      'entries',
    );
    const numbers = async (limit: number) => (await history.ofMemory('ann', id, limit)).map(({ number }) => number);
    equal(
      [await numbers(10), await numbers(2)],
      [
        [4, 3, 2, 1],
        [4, 3],
      ],
      'numbers, of at most as many as asked for',
    );
    const from = async (number: number) =>
      (await history.ofMemoryFrom('ann', id, number)).map((entry) => [entry.number, entry.changeId]);
    equal(
      await from(3),
      [
        [3, 'c3'],
        [4, 'c4'],
      ],
      'from a number on',
    );
    equal([(await from(1)).length, await from(5)], [4, []], 'from the first, and behind the last');
    const texts = entries.map(({ position }) => history.previousText('ann', position));
    equal(await Promise.all(texts), [null, null, 'before', null], 'former texts');
    equal(await history.previousText('bob', entries[2]?.position ?? 0), null, "another user's");
    const first = entries.at(-1)?.position ?? 0;
    const later = await history.since('ann', [id], first + 1);
    equal(
      later.map(({ changeId, before }) => [changeId, before]),
      [
        ['c2', { text: 'before' }],
        ['c3', null],
        ['c4', null],
      ],
      'later entries, oldest first',
    );
    equal((await history.since('ann', [id], first)).length, 4, 'from a position on');
    equal(await history.since('ann', [], 0), [], 'of no memory');
    equal(await history.newestForgotten('ann', id), 0, 'the changes that replaced nothing forgot nothing');
  });

  check('MEM-5: names the memories of a change, each with its first entry', async ({ memories, history, insert }) => {
    const [one, two] = [createNewMemory({ contentHash: 'same' }), createNewMemory({})];
    await insert('ann', one, two);
    await memories.changeAll('ann', [two.memory.id, one.memory.id], () => ({ title: 'New' }), marked('c1'));
    await memories.update('ann', two.memory.id, { title: 'Newer' }, marked('c2'));
    await memories.update('ann', two.memory.id, { title: 'Newest' }, marked('c1'));
    const positionOf = async (id: string) => (await history.ofMemory('ann', id, 10)).at(-1)?.position;
    equal(
      await history.ofChange('ann', 'c1'),
      [
        { memoryId: two.memory.id, position: await positionOf(two.memory.id) },
        { memoryId: one.memory.id, position: await positionOf(one.memory.id) },
      ],
      'memories',
    );
    equal(await history.ofChange('ann', 'unknown'), [], 'of no change');
    equal(await history.changesByPrefix('ann', 'c', 10), ['c1', 'c2'], 'changes by their beginning');
    equal(await history.changesByPrefix('ann', 'x', 10), [], 'no changes by another beginning');
  });

  check('MEM-5: keeps the history of each user apart', async ({ memories, history, insert }) => {
    const draft = createNewMemory({});
    await insert('ann', draft);
    await memories.update('ann', draft.memory.id, { title: 'New' }, marked('c1'));
    equal(await history.ofMemory('bob', draft.memory.id, 10), [], 'of a memory');
    equal(await history.ofChange('bob', 'c1'), [], 'of a change');
    equal(await history.since('bob', [draft.memory.id], 0), [], 'later ones');
    equal((await history.ofChange('ann', 'c1')).length, 1, 'of the user');
  });

  check('MEM-5: enters nothing for a change that changes nothing, fails or is not marked', async (storage) => {
    const { memories, history } = storage;
    const draft = createNewMemory({ title: 'Same', tags: ['a'], note: null, chunks: ['same'], contentHash: 'h' });
    const { id } = draft.memory;
    await storage.insert('ann', draft);
    const { updatedAt } = (await memories.find('ann', id)) ?? {};
    const same = { title: 'Same', tags: ['a'], note: null, ...textOf('same', 'h') };
    equal(await memories.update('ann', id, same, marked('c1')), { fields: [], indexingJobId: null }, 'the same values');
    equal((await memories.find('ann', id))?.updatedAt, updatedAt, 'time of the last change');
    await memories.update('ann', id, { title: 'Silent' }, CHANGE);
    await memories.update('ann', id, { metadata: { a: 1 } }, marked('c2'));
    equal(await memories.update('bob', id, { title: 'x' }, marked('c3')), null, "another user's");
    equal(await memories.trash('bob', id, CHANGE.now, { changeId: 'c4', actor: null }), false, "another user's delete");
    equal(await memories.restore('ann', id, marked('c5')), 'unknown', 'restoring a memory that is not in the trash');
    equal(await history.ofMemory('ann', id, 10), [], 'entries');
    equal((await memories.find('ann', id))?.metadata, { a: 1 }, 'metadata');
  });

  check('MEM-5: enters the additions of another capture of the same page', async ({ memories, history, insert }) => {
    const first = createNewMemory({ contentHash: 'same', tags: ['a'], note: 'one' });
    await insert('ann', first);
    const again = [createNewMemory({ contentHash: 'same', tags: ['b'] }), createNewMemory({ contentHash: 'same' })];
    const plan = { now: new Date(CHANGE.now), indexing: () => null, triggersHooks: false, actor: WEB };
    await memories.insert('ann', again, plan);
    const entries = await history.ofMemory('ann', first.memory.id, 10);
    equal(
      entries.map(({ kind, by, before }) => [kind, by, before]),
      [
        // The second of the two added nothing.
        ['captured', WEB, { tags: ['a'] }],
      ],
      'entries',
    );
  });

  check('MEM-5: former values are removed after their time, while the entries stay', async (storage) => {
    const { memories, history } = storage;
    const draft = createNewMemory({ title: 'Old' });
    await storage.insert('ann', draft);
    await memories.update('ann', draft.memory.id, { title: 'New', ...textOf('new', 'h2') }, marked('c1'));
    const purge = (days: number) =>
      memories.purge({
        now: new Date(Date.parse(CHANGE.now) + days * DAY).toISOString(),
        trashedFor: 30 * DAY,
        answeredFor: 30 * DAY,
        valuesFor: 2 * DAY,
      });
    for (const day of [1, 2]) await purge(day);
    const [kept] = await history.since('ann', [draft.memory.id], 0);
    equal(kept?.before, { title: 'Old', text: 'Some text.' }, 'after two days');
    await purge(2.5);
    const [entry] = await history.since('ann', [draft.memory.id], 0);
    equal([entry?.kind, entry?.fields, entry?.before], ['edited', ['title', 'text'], null], 'after more than two days');
    equal(await history.previousText('ann', entry?.position ?? 0), null, 'the former text');
    await memories.update('ann', draft.memory.id, { title: 'Newer' }, marked('c2'));
    equal(await history.newestForgotten('ann', draft.memory.id), 1, 'the newest without its values');
    equal(await history.newestForgotten('bob', draft.memory.id), 0, "another user's");
  });

  check('MEM-1: a new text replaces chunks, index rows and embeddings', async (storage) => {
    const { memories, indexingJobs } = storage;
    const draft = createNewMemory({ chunks: ['alpha ', 'beta'], tags: ['kept'], note: 'kept too' });
    const { id } = draft.memory;
    const [saved] = await storage.insert('ann', draft);
    const vector = unitVector(8, 1);
    await storage.embed('ann', 'm', saved, vector);
    const updated = await memories.update(
      'ann',
      id,
      { text: { chunks: ['gamma ', 'delta ', 'epsilon'], contentHash: 'h2' } },
      { ...CHANGE, indexing: { status: 'pending' } },
    );
    ok(updated !== null && updated !== 'duplicate' && updated.indexingJobId !== null, 'an indexing job');
    ok((await indexingJobs.latest('ann')) !== null, 'the job is stored');
    const found = await memories.find('ann', id);
    equal([found?.text, found?.chunkCount, found?.tags], ['gamma delta epsilon', 3, ['kept']], 'memory');
    equal(await memories.hasEmbeddings('ann', 'm', id), false, 'embedded');
    equal((await storage.vectorIndex.search('ann', 'm', vector, { limit: 9, filter: {} })).hits.length, 0, 'vectors');
    equal((await memories.pendingChunksOf('ann', 'm', id)).length, 3, 'chunks to embed');
    const words = ['alpha', 'beta', 'gamma', 'epsilon', 'kept'];
    const hits = await Promise.all(words.map((word) => storage.search('ann', word)));
    equal(hits, [[], [], [id], [id], [id]], 'full text');
    const [again] = await storage.insert('ann', createNewMemory({ contentHash: 'h2' }));
    equal([again?.status, again?.id], ['duplicate', id], 'a capture of the new text');
    const [other] = await storage.insert('ann', createNewMemory({ contentHash: draft.contentHash }));
    equal(other?.status, 'created', 'a capture of the former text');
  });

  check('MEM-1: rejects the text of another memory, and changes nothing', async (storage) => {
    const { memories } = storage;
    const [one, two] = [createNewMemory({ contentHash: 'h1' }), createNewMemory({ chunks: ['two'] })];
    await storage.insert('ann', one, two);
    const change = { title: 'Lost', ...textOf('Some text.', 'h1') };
    equal(await memories.update('ann', two.memory.id, change, marked('c1')), 'duplicate', 'outcome');
    const found = await memories.find('ann', two.memory.id);
    equal([found?.title, found?.text], [two.memory.title, 'two'], 'memory');
    equal(await storage.search('ann', 'two'), [two.memory.id], 'full text');
    await storage.insert('bob', createNewMemory({ contentHash: 'h3' }));
    ok((await memories.update('ann', two.memory.id, textOf('x', 'h3'), CHANGE)) !== 'duplicate', "another user's text");
  });

  check('CAP-13: a conversation with an edited text no longer grows', async ({ memories, insert }) => {
    const conversation = (...turns: string[]) => ({
      url: 'https://chat.example/1',
      contentHash: `talk ${turns.join()}`,
      chunks: turns,
      conversation: {
        turns: turns.length,
        starts: turns.map((_, index) => turns.slice(0, index).join('').length),
        chunksAfter: (count: number, text: string) =>
          turns.slice(0, count).join('') === text ? turns.slice(count) : null,
      },
    });
    const first = createNewMemory(conversation('a', 'b'));
    await insert('ann', first);
    equal((await memories.find('ann', first.memory.id))?.turnStarts, [0, 1], 'turns');
    await insert('ann', createNewMemory(conversation('a', 'b', 'c')));
    equal((await memories.find('ann', first.memory.id))?.turnStarts, [0, 1, 2], 'turns after it grew');
    await memories.update('ann', first.memory.id, textOf('ab', 'edited'), CHANGE);
    equal((await memories.find('ann', first.memory.id))?.turnStarts, null, 'turns after an edit');
    const [more] = await insert('ann', createNewMemory(conversation('a', 'b', 'd')));
    equal(more?.status, 'created', 'a longer capture');
  });
}
