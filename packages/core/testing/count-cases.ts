import { equal, ok } from './assert.js';
import type { Check } from './harness.js';
import { CHANGE, createNewMemory } from './samples.js';

const of = (client: 'mcp' | 'web', name: string | null = null) => ({ savedBy: { client, name, key: 'k' } });

/** Registers the cases for counts, other captures of an address, and facts of the store. */
export function checkCounts(check: Check): void {
  check('MEM-8: counts the live memories of a user by each fact', async ({ memories, insert }) => {
    const drafts = [
      createNewMemory({ url: 'https://a.example/1', tags: ['x', 'y'], ...of('mcp', 'Claude') }),
      createNewMemory({ url: 'https://a.example/2', tags: ['x'], ...of('mcp', 'Claude') }),
      createNewMemory({ url: 'https://b.example/', capturedAt: '2026-02-28T00:00:00.000Z', ...of('mcp') }),
      createNewMemory({ capturedAt: '2025-12-31T23:59:59.999Z', ...of('web') }),
      createNewMemory({ capturedAt: '2026-02-01T00:00:00.000Z' }),
    ];
    const gone = createNewMemory({ url: 'https://gone.example/', tags: ['gone'], ...of('web', 'gone') });
    await insert('ann', ...drafts, gone);
    await insert('bob', createNewMemory({ url: 'https://bob.example/', tags: ['bob'], ...of('web', 'bob') }));
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    equal(
      await memories.counts('ann', {}, 10),
      {
        total: 5,
        sourceTypes: [
          { value: 'url', count: 3 },
          { value: 'note', count: 2 },
        ],
        sites: [
          { value: 'a.example', count: 2 },
          { value: 'b.example', count: 1 },
        ],
        tags: [
          { value: 'x', count: 2 },
          { value: 'y', count: 1 },
        ],
        months: [
          { value: '2026-02', count: 2 },
          { value: '2026-01', count: 2 },
          { value: '2025-12', count: 1 },
        ],
        keys: [{ value: 'k', count: 4 }],
        clients: [
          { client: 'mcp', name: 'Claude', count: 2 },
          { client: 'mcp', name: null, count: 1 },
          { client: 'web', name: null, count: 1 },
        ].sort((a, b) => b.count - a.count),
      },
      'all',
    );
    const filtered = await memories.counts('ann', { tag: 'x', site: 'a.example' }, 10);
    equal([filtered.total, filtered.tags.length, filtered.clients.length], [2, 2, 1], 'with a filter');
    const chosen = await memories.counts('ann', { site: 'b.example', sourceType: 'url', until: '2026-02-01' }, 10);
    equal([chosen.total, chosen.tags], [0, []], 'with a filter that nothing meets');
    equal(chosen.sites, [{ value: 'a.example', count: 2 }], 'other sites, of the same type and time');
    equal(chosen.months, [{ value: '2026-02', count: 1 }], 'other months, of the same site');
    equal(chosen.sourceTypes, [], 'other types, of the same site and time');
    equal((await memories.counts('ann', { tag: 'gone' }, 10)).total, 0, 'only in the trash');
    equal((await memories.counts('ann', { by: 'key:k' }, 10)).total, 4, 'by key');
    equal((await memories.counts('ann', { by: 'key:other' }, 10)).total, 0, 'by another key');
    ok(typeof (await memories.restore('ann', gone.memory.id, CHANGE)) === 'object', 'restored');
    const tags = ['x 2', 'gone 1', 'y 1'];
    equal(
      (await memories.tags('ann', 9)).map(({ tag, count }) => `${tag} ${count}`),
      tags,
      'tags after restoring',
    );
    equal(await memories.completeTags('ann', 'g', 1), ['gone'], 'the tags that begin like this');
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    equal((await memories.tags('ann', 9)).length, 2, 'tags after deleting again');
    const few = await memories.counts('ann', {}, 1);
    equal([few.total, few.sourceTypes.length, few.sites.length, few.tags.length], [5, 1, 1, 1], 'one value of each');
    equal([few.months, few.clients.length], [[{ value: '2026-02', count: 2 }], 1], 'one month and client');
  });

  check('MEM-18: counts the live memories in each place', async ({ memories, insert }) => {
    const drafts = [createNewMemory({}), createNewMemory({}), createNewMemory({}), createNewMemory({})];
    const [one = '', two = '', three = ''] = drafts.map(({ memory }) => memory.id);
    await insert('ann', ...drafts);
    await insert('bob', createNewMemory({}));
    await memories.update('ann', one, { place: 'later' }, CHANGE);
    await memories.update('ann', two, { place: 'archive' }, CHANGE);
    equal(await memories.placeCounts('ann'), { inbox: 2, later: 1, archive: 1 }, 'moved');
    await memories.trash('ann', three, CHANGE.now);
    await memories.trash('ann', one, CHANGE.now);
    equal(await memories.placeCounts('ann'), { inbox: 1, later: 0, archive: 1 }, 'in the trash');
    await memories.restore('ann', one, CHANGE);
    equal(await memories.placeCounts('ann'), { inbox: 1, later: 1, archive: 1 }, 'restored');
    await memories.emptyTrash('ann', { limit: 10 });
    equal(await memories.placeCounts('ann'), { inbox: 1, later: 1, archive: 1 }, 'after the trash was emptied');
  });

  check('MEM-19: counts the memories of a branch, each once', async ({ memories, insert }) => {
    await insert(
      'ann',
      createNewMemory({ tags: ['Dev/databases', 'dev/tools'] }),
      createNewMemory({ tags: ['dev/databases/sqlite'] }),
      createNewMemory({ tags: ['dev'], url: 'https://a.example/' }),
      createNewMemory({ tags: ['dev-ops', 'development', 'my/dev'] }),
    );
    await insert('bob', createNewMemory({ tags: ['dev/other'] }));
    const branches = ['dev', 'dev/databases', 'my', 'none'];
    const counted = await memories.branchCounts('ann', branches);
    equal(
      branches.map((branch) => counted.get(branch)),
      [3, 2, 1, 0],
      'branches',
    );
    const { tags } = await memories.counts('ann', {}, 9);
    equal(tags[0], { value: 'dev', count: 3 }, 'the counts of a list');
    const filtered = await memories.counts('ann', { site: 'a.example' }, 9);
    equal(filtered.tags, [{ value: 'dev', count: 1 }], 'with a filter');
  });

  check('MEM-13: completes tags by any part, the newest first', async ({ memories, insert }) => {
    const tagged = (...tags: string[]) => insert('ann', createNewMemory({ tags }));
    await tagged('Data', 'dev/databases', 'metadata');
    await tagged('database');
    await tagged('dev/data', 'tea');
    await insert('bob', createNewMemory({ tags: ['data of bob'] }));
    const expected = ['database', 'Data', 'dev/data', 'dev/databases', 'metadata'];
    equal(await memories.completeTags('ann', 'data', 9), expected, 'by a text');
    equal(await memories.completeTags('ann', 'data', 2), expected.slice(0, 2), 'the first two');
    equal((await memories.completeTags('ann', '', 9)).length, 6, 'all');
    equal(await memories.completeTags('eve', 'data', 9), [], 'of somebody without tags');
  });

  check('MEM-8: finds the other captures of an address, newest first', async ({ memories, insert }) => {
    const days = ['01', '03', '02'].map((day) =>
      createNewMemory({ url: 'https://a.example/#part', capturedAt: `2026-01-${day}T00:00:00.000Z` }),
    );
    const gone = createNewMemory({ url: 'https://a.example/' });
    await insert('ann', ...days, gone, createNewMemory({ url: 'https://b.example/' }));
    await insert('bob', createNewMemory({ url: 'https://a.example/' }));
    await memories.trash('ann', gone.memory.id, CHANGE.now);
    const key = gone.urlKey ?? '';
    const captured = (await memories.withUrl('ann', key, 9)).map(({ capturedAt }) => capturedAt.slice(8, 10));
    equal(captured, ['03', '02', '01'], 'order');
    equal((await memories.withUrl('ann', key, 2)).length, 2, 'at most as many as asked for');
    equal(await memories.withUrl('ann', 'https://unknown.example/', 9), [], 'an unknown address');
  });

  check('SYS-4: counts the data of a user, and describes the store', async ({ inspector, memories, insert }) => {
    equal(await inspector.counts('ann'), { memories: 0, trash: 0, chunks: 0, highlights: 0 }, 'empty');
    const drafts = [createNewMemory({ chunks: ['a', 'b'] }), createNewMemory({})];
    await insert('ann', ...drafts);
    await insert('bob', createNewMemory({}));
    await memories.trash('ann', drafts[0]?.memory.id ?? '', CHANGE.now);
    equal(await inspector.counts('ann'), { memories: 1, trash: 1, chunks: 3, highlights: 0 }, 'counts');
    await memories.restore('ann', drafts[0]?.memory.id ?? '', CHANGE);
    await memories.update(
      'ann',
      drafts[1]?.memory.id ?? '',
      { text: { chunks: ['c', 'd', 'e'], contentHash: 'h' } },
      CHANGE,
    );
    equal(await inspector.counts('ann'), { memories: 2, trash: 0, chunks: 5, highlights: 0 }, 'after changes');
    const { location, bytes, freeBytes } = await inspector.facts();
    ok(location !== null || freeBytes === null, 'free space of a store in memory');
    ok(location === null ? bytes === 0 : bytes > 0, 'size');
  });
}
