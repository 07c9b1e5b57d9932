import { equal } from './assert.js';
import type { Check } from './harness.js';

const AT = '2026-01-31T12:00:00.000Z';
const searchOf = (id: string, name: string, query = 'is:unread') => ({ id, name, query, createdAt: AT, updatedAt: AT });

/** Registers the cases for saved searches. */
export function checkSavedSearches(check: Check): void {
  check('MEM-15: keeps the searches of each user by name, which is unique without regard to case', async (storage) => {
    const { savedSearches } = storage;
    const names = async (userId: string) => (await savedSearches.list(userId)).map(({ name }) => name);
    equal(await savedSearches.insert('ann', searchOf('1', 'to read'), 3), 'stored', 'first');
    equal(await savedSearches.insert('ann', searchOf('2', 'Papers'), 3), 'stored', 'second');
    equal(await savedSearches.insert('ann', searchOf('3', 'PAPERS'), 3), 'taken', 'same name');
    equal(await savedSearches.insert('bob', searchOf('3', 'PAPERS'), 3), 'stored', 'of another user');
    equal(await names('ann'), ['Papers', 'to read'], 'by name');
    const update = (id: string, change: { name?: string; query?: string }) =>
      savedSearches.update('ann', id, { ...change, updatedAt: AT });
    equal(await update('1', { name: 'papers' }), 'taken', 'name of another');
    equal(await update('1', { name: 'To read' }), searchOf('1', 'To read'), 'a new name');
    equal(await update('1', { query: 'tag:later' }), searchOf('1', 'To read', 'tag:later'), 'a new query');
    equal(await update('3', { name: 'New' }), 'unknown', 'of another user');
    equal((await savedSearches.list('ann'))[1], searchOf('1', 'To read', 'tag:later'), 'as stored');
    equal(await savedSearches.insert('ann', searchOf('4', 'x'), 2), 'full', 'one too many');
    equal(await savedSearches.remove('ann', '3'), false, 'of another user');
    equal(await savedSearches.remove('ann', '2'), true, 'own');
    equal([await names('ann'), await names('bob')], [['To read'], ['PAPERS']], 'left');
  });
}
