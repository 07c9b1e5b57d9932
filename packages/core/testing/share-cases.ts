import { NO_QUOTA } from '#core/people/people.js';
import type { NewShare, Share } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';
import { createNewMemory } from './samples.js';

const AT = '2026-01-31T12:00:00.000Z';

function shareOf(id: string, more: Partial<NewShare>): NewShare {
  const common = { tag: null, searchId: null, personId: null, mayAdd: false, showsText: false, token: null };
  return { id, ...common, createdAt: AT, ...more };
}

const ids = (shares: readonly Share[]) => shares.map(({ id }) => id);

/** Registers the cases for shares. */
export function checkShares(check: Check): void {
  check('SHR-1: shares a tag once with each person, and ends it with its person', async ({ users, shares }) => {
    for (const id of ['ann', 'bob', 'cat'])
      await users.insert({
        id,
        name: id,
        address: null,
        role: 'member',
        state: 'active',
        quota: NO_QUOTA,
        createdAt: AT,
      });
    const withBob = { tag: 'Tea', personId: 'bob' };
    const first = await shares.save('ann', shareOf('s1', withBob), 2);
    const { tag = null, personId = null } = typeof first === 'string' ? {} : first;
    equal([tag, personId], ['Tea', 'bob'], 'stored');
    const again = await shares.save('ann', shareOf('s2', { ...withBob, tag: 'TEA', mayAdd: true }), 2);
    equal(typeof again === 'string' ? again : [again.id, again.mayAdd], ['s1', true], 'changed');
    await shares.save('ann', shareOf('s3', { tag: 'Tea', token: 'secret' }), 2);
    equal(await shares.save('ann', shareOf('s4', { tag: 'x', personId: 'bob' }), 2), 'full', 'one too many');
    equal(ids(await shares.list('ann')), ['s3', 's1'], 'listed');
    equal([ids(await shares.sharedWith('bob')), ids(await shares.sharedWith('cat'))], [['s1'], []], 'shared with');
    const found = async (user: string, id: string) => (await shares.find(user, id))?.id ?? null;
    equal([await found('bob', 's1'), await found('ann', 's1')], ['s1', 's1'], 'found');
    equal(
      [await found('cat', 's1'), await found('bob', 's3'), await found('bob', 's\0')],
      [null, null, null],
      'others',
    );
    equal((await shares.findPublic('secret'))?.id, 's3', 'public');
    equal([await shares.findPublic('secre'), await shares.findPublic('')], [null, null], 'another token');
    await users.update('ann', { state: 'suspended' });
    equal([await found('bob', 's1'), await shares.findPublic('secret')], [null, null], 'while suspended');
    equal(ids(await shares.sharedWith('bob')), [], 'nothing while suspended');
    await users.update('ann', { state: 'active' });
    equal([await shares.remove('bob', 's1'), await shares.remove('ann', 's3')], [false, true], 'removed');
    equal(await shares.findPublic('secret'), null, 'revoked');
    await users.remove('bob');
    equal(ids(await shares.list('ann')), [], 'gone with the person');
  });

  check('SHR-1: a share of a saved search follows it, and ends with it', async ({ shares, savedSearches }) => {
    const search = { id: 'q1', name: 'To read', query: 'is:unread', createdAt: AT, updatedAt: AT };
    await savedSearches.insert('local', search, 10);
    equal(await shares.save('local', shareOf('s1', { searchId: 'q2', token: 'a' }), 9), 'unknown', 'unknown search');
    await shares.save('local', shareOf('s1', { searchId: 'q1', token: 'a' }), 9);
    await savedSearches.update('local', 'q1', { query: 'tag:later', updatedAt: AT });
    equal((await shares.findPublic('a'))?.search, { id: 'q1', name: 'To read', query: 'tag:later' }, 'followed');
    await savedSearches.remove('local', 'q1');
    equal(await shares.findPublic('a'), null, 'ended');
  });

  check('SHR-3: memories that a person adds are in the tag until they or the share go', async (storage) => {
    const { users, shares, memories, insert } = storage;
    for (const id of ['ann', 'bob'])
      await users.insert({
        id,
        name: id,
        address: null,
        role: 'member',
        state: 'active',
        quota: NO_QUOTA,
        createdAt: AT,
      });
    const share = { userId: 'ann', id: 's1' };
    const save = (mayAdd: boolean) => shares.save('ann', shareOf('s1', { tag: 'Tea', personId: 'bob', mayAdd }), 9);
    await save(true);
    const drafts = Array.from({ length: 3 }, (_, at) => createNewMemory({ chunks: [`cup ${at}`] }));
    await insert('bob', ...drafts);
    const [one = '', two = '', three = ''] = drafts.map(({ memory }) => memory.id);
    const add = (id: string, user = 'bob') => shares.add(user, share, { id, addedAt: AT }, 2);
    equal([await add(one), await add(two), await add(three)], ['stored', 'stored', 'full'], 'added');
    equal([await add('unknown', 'ann'), await add(one, 'ann')], ['unknown', 'unknown'], 'of others');
    const added = async () => (await shares.added('ann', 'TEA', { limit: 9 })).map(({ id }) => id).toSorted();
    equal(await added(), [one, two].toSorted(), 'listed');
    const [newest] = await shares.added('ann', 'tea', { limit: 1 });
    equal(
      (await shares.added('ann', 'tea', { limit: 9, after: newest ?? null })).map(({ id }) => id),
      [one, two].filter((id) => id !== newest?.id),
      'after the first',
    );
    const only = async (userId: string, id: string) =>
      (await shares.added('ann', 'tea', { limit: 1, only: { userId, id } })).length;
    equal([await only('bob', two), await only('ann', two), await only('bob', three)], [1, 0, 0], 'one');
    await save(false);
    equal(await added(), [], 'while they may not add');
    await save(true);
    await users.update('bob', { state: 'suspended' });
    equal(await added(), [], 'while suspended');
    await users.update('bob', { state: 'active' });
    equal(await shares.takeOut('ann', 'tea', { userId: 'ann', id: one }), false, 'of another');
    equal(await shares.takeOut('ann', 'tea', { userId: 'bob', id: one }), true, 'taken out');
    equal(await added(), [two], 'then');
    await memories.trash('bob', two, AT);
    await memories.emptyTrash('bob', { limit: 9 });
    await add(three);
    await shares.remove('ann', 's1');
    await save(true);
    equal(await added(), [], 'nothing is left of an ended share');
  });
}
