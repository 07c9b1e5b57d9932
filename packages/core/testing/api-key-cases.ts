import type { StoredApiKey } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';

/** A stored key and its secret. Secrets of keys with the same prefix start with the same characters. */
function keyOf(userId: string, id: string, more: Partial<StoredApiKey> = {}): [StoredApiKey, string] {
  const prefix = more.prefix ?? `rec_${id.padStart(8, '0')}`;
  const stored = {
    userId,
    id,
    name: null,
    prefix,
    scopes: ['memory:read' as const, 'admin' as const],
    createdAt: '2026-01-31T12:00:00.000Z',
    lastUsedAt: null,
    expiresAt: null,
    ...more,
  };
  return [stored, `${prefix}secret of ${id}`];
}

/** Registers the cases for API keys. */
export function checkApiKeys(check: Check): void {
  check('KEY-1: returns keys as stored, newest first, only to their own user', async ({ apiKeys }) => {
    const [first, key] = keyOf('ann', '1', { name: 'Phone "√"', expiresAt: '2027-01-31T12:00:00.000Z' });
    const [second, secondKey] = keyOf('ann', '2', { createdAt: '2026-02-01T12:00:00.000Z' });
    await apiKeys.insert(first, key);
    await apiKeys.insert(second, secondKey);
    await apiKeys.insert(...keyOf('bob', '3'));
    equal(await apiKeys.list('ann'), [second, first], 'keys of ann');
    equal(await apiKeys.find(key), first, 'by the key');
  });

  check('SEC-8: finds a key only by its full text, even among keys with the same prefix', async ({ apiKeys }) => {
    const prefix = 'rec_00000000';
    const [first, key] = keyOf('ann', '1', { prefix });
    const [second, other] = keyOf('bob', '2', { prefix });
    await apiKeys.insert(first, key);
    await apiKeys.insert(second, other);
    equal(await apiKeys.find(key), first, 'the first');
    equal(await apiKeys.find(other), second, 'the second');
    for (const wrong of [prefix, `${key} `, key.slice(0, -1), key.toUpperCase(), `${prefix}%`, '', '\0']) {
      equal(await apiKeys.find(wrong), null, `found by ${JSON.stringify(wrong)}`);
    }
  });

  check('SEC-8: a removed key is gone immediately, and only its own user can remove it', async ({ apiKeys }) => {
    const [stored, key] = keyOf('ann', '1');
    await apiKeys.insert(stored, key);
    equal(await apiKeys.remove('bob', '1'), false, 'removal by another user');
    equal(await apiKeys.find(key), stored, 'found then');
    equal(await apiKeys.remove('ann', '1'), true, 'removed');
    equal(await apiKeys.remove('ann', '1'), false, 'removed again');
    equal(await apiKeys.find(key), null, 'find after removal');
    await apiKeys.touch('ann', '1', '2026-02-01T12:00:00.000Z');
    equal(await apiKeys.list('ann'), [], 'keys after touching a removed key');
  });

  check('SEC-8: stores the last use', async ({ apiKeys }) => {
    await apiKeys.insert(...keyOf('ann', '1'));
    await apiKeys.touch('ann', '1', '2026-02-01T12:00:00.000Z');
    await apiKeys.touch('bob', '1', '2026-03-01T12:00:00.000Z');
    equal((await apiKeys.list('ann'))[0]?.lastUsedAt, '2026-02-01T12:00:00.000Z', 'last use');
  });
}
