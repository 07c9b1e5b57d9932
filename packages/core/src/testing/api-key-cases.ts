import type { StoredApiKey } from '../ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';

function keyOf(userId: string, id: string, more: Partial<StoredApiKey> = {}): StoredApiKey {
  return {
    userId,
    id,
    name: null,
    prefix: `rec_${id}`,
    hash: `hash of ${id}`,
    scopes: ['memory:read', 'admin'],
    createdAt: '2026-01-31T12:00:00.000Z',
    lastUsedAt: null,
    expiresAt: null,
    ...more,
  };
}

/** How API keys are kept. */
export function checkApiKeys(check: Check): void {
  check('KEY-1: a key comes back as it was kept, newest first, to its own user', async ({ apiKeys }) => {
    const first = keyOf('ann', '1', { name: 'Phone "√"', expiresAt: '2027-01-31T12:00:00.000Z' });
    const second = keyOf('ann', '2', { createdAt: '2026-02-01T12:00:00.000Z' });
    for (const key of [first, second, keyOf('bob', '3')]) await apiKeys.insert(key);
    equal(await apiKeys.list('ann'), [second, first], 'keys of ann');
    equal(await apiKeys.findByPrefix('rec_1'), [first], 'by prefix');
    equal(await apiKeys.findByPrefix('rec_'), [], 'by a part of a prefix');
  });

  check('SEC-8: keys that begin alike are both found', async ({ apiKeys }) => {
    for (const id of ['1', '2']) await apiKeys.insert(keyOf('ann', id, { prefix: 'rec_same' }));
    equal((await apiKeys.findByPrefix('rec_same')).map(({ id }) => id).sort(), ['1', '2'], 'ids');
  });

  check('SEC-8: a key that is removed is gone at once, for its own user alone', async ({ apiKeys }) => {
    await apiKeys.insert(keyOf('ann', '1'));
    equal(await apiKeys.remove('bob', '1'), false, 'removed by another');
    equal((await apiKeys.findByPrefix('rec_1')).length, 1, 'found then');
    equal(await apiKeys.remove('ann', '1'), true, 'removed');
    equal(await apiKeys.remove('ann', '1'), false, 'removed again');
    equal(await apiKeys.findByPrefix('rec_1'), [], 'found at the end');
    await apiKeys.touch('ann', '1', '2026-02-01T12:00:00.000Z');
    equal(await apiKeys.list('ann'), [], 'touched when gone');
  });

  check('SEC-8: the last use is kept', async ({ apiKeys }) => {
    await apiKeys.insert(keyOf('ann', '1'));
    await apiKeys.touch('ann', '1', '2026-02-01T12:00:00.000Z');
    await apiKeys.touch('bob', '1', '2026-03-01T12:00:00.000Z');
    equal((await apiKeys.list('ann'))[0]?.lastUsedAt, '2026-02-01T12:00:00.000Z', 'last use');
  });
}
