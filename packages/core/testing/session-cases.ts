import { createApiKey } from '#core/access/api-key-format.js';
import type { StoredSession } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check, Harness } from './harness.js';

const AT = '2026-01-31T12:00:00.000Z';

async function keyOf({ apiKeys }: Harness, userId: string, id: string): Promise<void> {
  const stored = {
    userId,
    id,
    name: null,
    prefix: 'rec_x',
    scopes: ['memory:read' as const],
    createdAt: AT,
    lastUsedAt: null,
    expiresAt: null,
  };
  await apiKeys.insert(stored, createApiKey());
}

function sessionOf(
  userId: string,
  id: string,
  apiKeyId: string,
  expiresAt = '2026-03-01T00:00:00.000Z',
): StoredSession {
  return { userId, id, apiKeyId, label: 'Browser', createdAt: AT, lastUsedAt: null, expiresAt, providerSession: null };
}

/** Registers the cases for sessions of the web app. */
export function checkSessions(check: Check): void {
  check('SEC-19: finds a session and its key by the token only', async (storage) => {
    const { sessions } = storage;
    await keyOf(storage, 'ann', 'k1');
    const stored = sessionOf('ann', 's1', 'k1');
    await sessions.insert(stored, 'token one');
    const found = await sessions.find('token one');
    equal(found?.session, stored, 'session');
    equal([found?.key.userId, found?.key.id, found?.key.scopes], ['ann', 'k1', ['memory:read']], 'key');
    for (const token of ['token two', 'token on', 'token one ', 's1', ''])
      equal(await sessions.find(token), null, token);
  });

  check('SEC-19: lists, updates and removes only the own sessions', async (storage) => {
    const { sessions } = storage;
    await keyOf(storage, 'ann', 'k1');
    await keyOf(storage, 'bob', 'k1');
    await sessions.insert({ ...sessionOf('ann', 's1', 'k1') }, 't1');
    await sessions.insert({ ...sessionOf('ann', 's2', 'k1'), createdAt: '2026-02-01T00:00:00.000Z' }, 't2');
    await sessions.insert(sessionOf('bob', 's1', 'k1'), 't3');
    await sessions.touch('ann', 's1', '2026-02-02T00:00:00.000Z');
    equal(
      (await sessions.list('ann')).map(({ id, lastUsedAt }) => [id, lastUsedAt]),
      [
        ['s2', null],
        ['s1', '2026-02-02T00:00:00.000Z'],
      ],
      'newest first',
    );
    equal((await sessions.list('bob'))[0]?.lastUsedAt, null, "another user's last use");
    equal(await sessions.remove('bob', 's2'), false, "another user's session");
    equal(await sessions.remove('ann', 's1'), true, 'remove');
    equal(await sessions.remove('ann', 's1'), false, 'removing twice');
    equal(await sessions.find('t1'), null, 'the token of a removed session');
    equal((await sessions.find('t3'))?.session.userId, 'bob', "another user's session with the same id");
  });

  check('SEC-19: a session ends with its API key, and cannot be opened without one', async (storage) => {
    const { sessions, apiKeys } = storage;
    await keyOf(storage, 'ann', 'k1');
    await keyOf(storage, 'ann', 'k2');
    await sessions.insert(sessionOf('ann', 's1', 'k1'), 't1');
    await sessions.insert(sessionOf('ann', 's2', 'k2'), 't2');
    equal(await apiKeys.remove('ann', 'k1'), true, 'revoked');
    equal(await sessions.find('t1'), null, 'its session');
    equal(
      (await sessions.list('ann')).map(({ id }) => id),
      ['s2'],
      'the other session',
    );
    for (const [userId, apiKeyId] of [
      ['ann', 'unknown'],
      ['bob', 'k2'],
    ] as const) {
      const outcome = await sessions.insert(sessionOf(userId, 's3', apiKeyId), 't3').then(
        () => 'stored',
        () => 'refused',
      );
      equal(outcome, 'refused', `a session of the key ${apiKeyId} of ${userId}`);
    }
    const twice = await sessions.insert(sessionOf('ann', 's4', 'k2'), 't2').catch(() => 'refused');
    equal(twice, 'refused', 'the same token twice');
  });

  check('SEC-19: removes the sessions that have expired', async (storage) => {
    const { sessions } = storage;
    await keyOf(storage, 'ann', 'k1');
    await sessions.insert(sessionOf('ann', 's1', 'k1', '2026-02-01T00:00:00.000Z'), 't1');
    await sessions.insert(sessionOf('ann', 's2', 'k1', '2026-02-02T00:00:00.000Z'), 't2');
    await sessions.removeExpired('2026-02-01T00:00:00.000Z');
    equal(
      (await sessions.list('ann')).map(({ id }) => id),
      ['s2'],
      'sessions',
    );
  });
}
