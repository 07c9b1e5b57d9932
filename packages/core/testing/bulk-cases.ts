import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const marked = (changeId: string) => ({ ...CHANGE, changeMark: { changeId, actor: null } });
const DAY = 86_400_000;

/** Registers the cases for changes of many memories, and for the trash as a list. */
export function checkBulkChanges(check: Check): void {
  check('MEM-4: changes many memories, and returns the ids of those that changed', async (storage) => {
    const { memories, history } = storage;
    const drafts = [
      createNewMemory({ tags: ['a'] }),
      createNewMemory({ tags: ['a', 'b'] }),
      createNewMemory({ tags: ['b'] }),
    ];
    const ids = drafts.map(({ memory }) => memory.id);
    await storage.insert('ann', ...drafts);
    const trashed = createNewMemory({ tags: ['a'] });
    await storage.insert('ann', trashed);
    await memories.trash('ann', trashed.memory.id, CHANGE.now);
    const all = [...ids, trashed.memory.id, 'unknown'];
    const changed = await memories.changeAll(
      'ann',
      all,
      ({ tags }) => (tags.includes('b') ? {} : { tags: [...tags, 'b'] }),
      marked('c1'),
    );
    equal(changed, [ids[0]], 'changed');
    equal((await storage.search('ann', 'b')).sort(), ids, 'full text of tags');
    equal(
      (await history.since('ann', ids, 0)).map(({ changeId, memoryId, before }) => [changeId, memoryId, before]),
      [['c1', ids[0], { tags: ['a'] }]],
      'history',
    );
    equal(await memories.changeAll('bob', ids, 'delete', marked('c2')), [], "another user's delete");
    equal(await memories.changeAll('ann', all, 'delete', marked('c3')), ids, 'deleted');
    equal(await memories.matching('ann', {}), [], 'live memories');
    equal(await memories.changeAll('bob', ids, 'restore', marked('c4')), [], "another user's restore");
    equal(await memories.changeAll('ann', [...ids, 'unknown'], 'restore', marked('c5')), ids, 'restored');
    equal((await memories.matching('ann', {})).length, 3, 'live memories afterwards');
    equal(await memories.changeAll('ann', [], 'delete', marked('c6')), [], 'no ids');
  });

  check('MEM-4: restores and edits skip memories whose text another memory has', async (storage) => {
    const { memories } = storage;
    const [one, two] = [createNewMemory({ contentHash: 'h' }), createNewMemory({})];
    await storage.insert('ann', one, two);
    const ids = [one.memory.id, two.memory.id];
    await memories.changeAll('ann', ids, 'delete', CHANGE);
    await storage.insert('ann', createNewMemory({ contentHash: 'h' }));
    equal(await memories.changeAll('ann', ids, 'restore', CHANGE), [two.memory.id], 'restored');
    const edit = () => ({ text: { chunks: ['x'], contentHash: 'h' } });
    equal(await memories.changeAll('ann', [two.memory.id], edit, CHANGE), [], 'edited');
  });

  check('MEM-5: skips memories that were changed after a given position', async (storage) => {
    const { memories, history } = storage;
    const drafts = [createNewMemory({}), createNewMemory({}), createNewMemory({})];
    const [one = '', two = '', three = ''] = drafts.map(({ memory }) => memory.id);
    await storage.insert('ann', ...drafts);
    await memories.changeAll('ann', [one, two], () => ({ title: 'First' }), marked('c1'));
    const position = (await history.since('ann', [one, two], 0)).at(-1)?.position ?? 0;
    const options = (changeId: string) => ({ ...marked(changeId), unlessChangedAfter: position });
    await memories.update('ann', two, { note: 'meanwhile' }, marked('c2'));
    // Reading a memory does not change the fields that an undo restores.
    await memories.update('ann', one, { readState: 'read', progress: 1 }, marked('c2'));
    const edit = () => ({ title: 'Second' });
    equal(await memories.changeAll('ann', [one, two, three], edit, options('c3')), [one, three], 'edited');
    equal(await memories.changeAll('ann', [one, two], 'delete', options('c4')), [], 'deleted');
    await memories.trash('ann', two, CHANGE.now);
    equal(await memories.changeAll('ann', [two], 'restore', options('c5')), [], 'restored');
  });

  check('MEM-4: all changes of one call are stored, or none', async (storage) => {
    const drafts = [createNewMemory({ title: 'one' }), createNewMemory({ title: 'two' })];
    await storage.insert('ann', ...drafts);
    const ids = drafts.map(({ memory }) => memory.id);
    const fails = ({ title }: { title: string }) => {
      if (title === 'two') throw new Error('fault');
      return { title: 'changed' };
    };
    const outcome = await storage.memories.changeAll('ann', ids, fails, marked('c1')).catch(() => 'failed');
    equal(outcome, 'failed', 'outcome');
    equal((await storage.memories.find('ann', ids[0] ?? ''))?.title, 'one', 'the first');
    equal(await storage.history.ofChange('ann', 'c1'), [], 'history');
  });

  check('MEM-4: selects by each filter, newest first', async ({ memories, insert }) => {
    const by = (client: 'mcp' | 'web', name: string | null) => ({ savedBy: { client, name, key: null } });
    const drafts = [
      createNewMemory({ url: 'https://a.example/1', tags: ['x'], ...by('mcp', 'Claude: Code') }),
      createNewMemory({ url: 'https://sub.a.example/2', capturedAt: '2026-02-01T00:00:00.000Z', ...by('mcp', null) }),
      createNewMemory({ capturedAt: '2026-03-01T00:00:00.000Z', ...by('web', null) }),
      createNewMemory({ capturedAt: '2026-04-01T00:00:00.000Z' }),
    ];
    await insert('ann', ...drafts);
    await insert('bob', createNewMemory({ tags: ['x'], ...by('mcp', 'Claude: Code') }));
    const at = (...positions: number[]) => positions.map((position) => drafts[position]?.memory.id);
    equal(await memories.matching('ann', {}), at(3, 2, 1, 0), 'all');
    equal(await memories.matching('ann', { by: 'mcp' }), at(1, 0), 'kind of client');
    equal(await memories.matching('ann', { by: 'mcp:Claude: Code' }), at(0), 'one assistant');
    equal(await memories.matching('ann', { by: 'mcp:claude' }), [], 'another assistant');
    equal(await memories.matching('ann', { by: 'mcp:' }), at(1), 'assistants without a name');
    equal(await memories.matching('ann', { by: 'web:' }), at(2), 'a kind of client that has no names');
    equal(await memories.matching('ann', { site: 'a.example' }), at(1, 0), 'site');
    equal(await memories.matching('ann', { tag: 'x' }), at(0), 'tag');
    equal(await memories.matching('ann', { since: '2026-02-01T00:00:00.000Z', by: 'web' }), at(2), 'two conditions');
    equal((await memories.find('ann', drafts[0]?.memory.id ?? ''))?.savedBy, drafts[0]?.memory.savedBy, 'saved by');
    equal((await memories.find('ann', drafts[3]?.memory.id ?? ''))?.savedBy, null, 'an unknown client');
  });

  check('MEM-7: lists the trash page by page, the last deleted first', async (storage) => {
    const { memories } = storage;
    const drafts = Array.from({ length: 5 }, (_, at) => createNewMemory({ chunks: [`text ${at}`] }));
    await storage.insert('ann', ...drafts);
    const deletedAt = (at: number) => new Date(Date.parse(CHANGE.now) + Math.floor(at / 2) * 1_000).toISOString();
    for (const [at, { memory }] of drafts.entries()) await memories.trash('ann', memory.id, deletedAt(at));
    const now = new Date(Date.parse(CHANGE.now) + DAY / 2).toISOString();
    const seen: string[] = [];
    let after: { deletedAt: string; id: string } | null = null;
    for (let page = 0; page < 9; page++) {
      const listed: Awaited<ReturnType<typeof memories.listTrash>> = await memories.listTrash('ann', {
        now,
        limit: 2,
        after,
      });
      seen.push(...listed.map(({ head }) => head));
      const last = listed.at(-1);
      if (last === undefined) break;
      after = { deletedAt: last.deletedAt, id: last.id };
    }
    equal(seen, ['text 4', 'text 3', 'text 2', 'text 1', 'text 0'], 'order');
    const [newest] = await memories.listTrash('ann', { now, limit: 1, after: null });
    equal([newest?.deletedAt, newest?.deletedFor], [deletedAt(4), DAY / 2 - 2_000], 'when it was deleted');
    equal(await memories.listTrash('bob', { now, limit: 9, after: null }), [], "another user's trash");
    const found = await memories.findDeleted('ann', newest?.id ?? '', now);
    equal([found?.text, found?.deletedAt, found?.deletedFor], ['text 4', deletedAt(4), DAY / 2 - 2_000], 'one of them');
    equal(await memories.findDeleted('bob', newest?.id ?? '', now), null, "another user's memory");
    await memories.restore('ann', newest?.id ?? '', CHANGE);
    equal(await memories.findDeleted('ann', newest?.id ?? '', now), null, 'a memory that is not in the trash');
  });

  check('MEM-7: empties the trash for good, with all that belongs to its memories', async (storage) => {
    const { memories, history, highlights, inspector } = storage;
    const drafts = [createNewMemory({}), createNewMemory({ tags: ['x'] }), createNewMemory({})];
    const ids = drafts.map(({ memory }) => memory.id);
    await storage.insert('ann', ...drafts);
    const [first = '', second = '', kept = ''] = ids;
    const highlight = {
      prefix: '',
      suffix: '',
      note: null,
      colour: 'yellow' as const,
      createdAt: CHANGE.now,
      updatedAt: CHANGE.now,
    };
    await highlights.insert('ann', { ...highlight, id: 'h', memoryId: second, quote: 'q', folded: 'q' }, 9);
    await memories.changeAll('ann', [first, second], 'delete', marked('c1'));
    equal(await memories.emptyTrash('bob', { limit: 9 }), 0, "another user's trash");
    equal(
      await memories.emptyTrash('ann', { ids: [kept, 'unknown'], limit: 9 }),
      0,
      'a memory that is not in the trash',
    );
    equal(await memories.emptyTrash('ann', { ids: [], limit: 9 }), 0, 'no ids');
    equal(await memories.emptyTrash('ann', { ids: [first], limit: 9 }), 1, 'one of two');
    equal(await inspector.counts('ann'), { memories: 1, trash: 1, chunks: 2, highlights: 1 }, 'counts in between');
    equal(await memories.emptyTrash('ann', { limit: 9 }), 1, 'the rest');
    equal(await inspector.counts('ann'), { memories: 1, trash: 0, chunks: 1, highlights: 0 }, 'counts afterwards');
    equal(await history.ofChange('ann', 'c1'), [], 'history');
    equal(await memories.tags('ann', 9), [], 'tags');
    equal(await memories.restore('ann', first, CHANGE), 'unknown', 'restoring');
    ok((await memories.find('ann', kept)) !== null, 'the live memory stays');
  });

  check('MEM-7: empties the trash up to an instant, and at most so many at once', async ({ memories, insert }) => {
    const drafts = Array.from({ length: 4 }, () => createNewMemory({}));
    const [one = '', two = '', three = '', kept = ''] = drafts.map(({ memory }) => memory.id);
    await insert('ann', ...drafts);
    const at = (second: number) => `2026-01-31T12:00:0${second}.000Z`;
    for (const [second, id] of [two, one, three].entries()) await memories.trash('ann', id, at(second));
    const trash = async () =>
      (await memories.listTrash('ann', { now: at(9), limit: 9, after: null })).map(({ id }) => id);
    equal([await memories.countTrash('ann'), await memories.countTrash('bob')], [3, 0], 'count');
    equal(await memories.emptyTrash('ann', { deletedBefore: at(2), limit: 1 }), 1, 'the first deleted');
    equal(await trash(), [three, one], 'after the first');
    equal(await memories.emptyTrash('ann', { deletedBefore: at(2), limit: 9 }), 1, 'the rest before the instant');
    equal(await memories.emptyTrash('ann', { deletedBefore: at(2), ids: [three, kept], limit: 9 }), 0, 'deleted later');
    equal([await trash(), await memories.countTrash('ann')], [[three], 1], 'a memory deleted at the instant stays');
  });
}
