import { createApiKey } from '#core/access/api-key-format.js';
import { LOCAL_USER, type NewMemory } from '#core/memory.js';
import { createPeople, NO_QUOTA } from '#core/people/people.js';
import { systemClock, type User } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';
import { createNewMemory, unitVector } from './samples.js';

const AT = '2026-01-31T12:00:00.000Z';
const LATER = '2026-02-01T12:00:00.000Z';

function userOf(id: string, more: Partial<User> = {}): User {
  return {
    id,
    name: id,
    address: null,
    role: 'member',
    state: 'active',
    quota: NO_QUOTA,
    createdAt: '2100-01-01T00:00:00.000Z',
    ...more,
  };
}

function keyOf(userId: string) {
  const common = { name: null, prefix: 'rec_x', scopes: ['memory:read' as const], createdAt: AT, expiresAt: null };
  return { userId, id: 'k1', lastUsedAt: AT, ...common };
}

/** Registers the cases for people. */
export function checkPeople(check: Check): void {
  check('PPL-1: a new store has its local user, who is the owner', async ({ users }) => {
    const [local, ...others] = await users.list();
    equal(others, [], 'others');
    equal([local?.id, local?.role, local?.state, local?.quota], [LOCAL_USER, 'owner', 'active', NO_QUOTA], 'local');
    equal((await users.find(LOCAL_USER))?.role, 'owner', 'found');
    equal(await users.find('ann'), null, 'unknown');
    equal(await users.find('lo\0cal'), null, 'NUL');
  });

  check('PPL-1: people are added, changed and listed', async ({ users, apiKeys, sessions, insert }) => {
    const ann = userOf('ann', {
      address: 'Ann@a.example',
      quota: { memories: 5, bytes: 2 ** 40, capturesPerMinute: 1 },
    });
    equal(await users.insert(ann), true, 'inserted');
    equal(await users.insert(userOf('bob')), true, 'without an address');
    equal(await users.insert(userOf('cat')), true, 'another without an address');
    equal(await users.insert(userOf('eve', { address: 'ann@A.example' })), false, 'a taken address');
    equal(await users.find('ann'), ann, 'found');
    equal(await users.findByAddress('ANN@a.example'), ann, 'found by address');
    equal(await users.findByAddress('b@a.example'), null, 'unknown address');
    const change = { name: 'Ann B', role: 'guest', state: 'suspended', quota: NO_QUOTA } as const;
    equal(await users.update('ann', change), { ...ann, ...change }, 'changed');
    equal(await users.update('eve', change), null, 'unknown');
    await insert('ann', createNewMemory({ chunks: ['a text'] }));
    await apiKeys.insert(keyOf('ann'), createApiKey());
    await sessions.insert(
      {
        userId: 'ann',
        id: 's1',
        apiKeyId: 'k1',
        label: '',
        createdAt: AT,
        lastUsedAt: LATER,
        expiresAt: LATER,
        providerSession: null,
      },
      't1',
    );
    equal(
      (await users.list()).map(({ id, memories, lastSeenAt }) => [id, memories, lastSeenAt]),
      [
        [LOCAL_USER, 0, null],
        ['ann', 1, LATER],
        ['bob', 0, null],
        ['cat', 0, null],
      ],
      'listed',
    );
  });

  check('PPL-2: a person with memories is not removed', async ({ users, memories, insert }) => {
    await users.insert(userOf('ann'));
    const draft = createNewMemory({ chunks: ['a text'] });
    await insert('ann', draft);
    equal(await users.remove('ann'), null, 'with a memory');
    await memories.trash('ann', draft.memory.id, AT);
    equal(await users.remove('ann'), null, 'with a memory in the trash');
    await memories.emptyTrash('ann', { limit: 10 });
    equal((await users.remove('ann'))?.apiKeys, 0, 'without memories');
    equal(await users.remove('ann'), null, 'unknown');
  });

  check('PPL-2: deletes a person with everything, and nothing of others', async (storage) => {
    const { users, apiKeys, savedSearches, memories } = storage;
    const people = createPeople({ ...storage, embeddingModel: null, clock: systemClock });
    const { id } = await people.create({ name: 'Ann' });
    const drafts = Array.from({ length: 45 }, (_, at) => createNewMemory({ chunks: [`secret ${at}`] }));
    const saved = await storage.insert(id, ...drafts);
    await storage.embed(id, 'm', saved[0], unitVector(8, 1));
    await memories.trash(id, drafts[1]?.memory.id ?? '', AT);
    const [kept] = await storage.insert('bob', createNewMemory({ chunks: ['secret of bob'] }));
    for (const userId of [id, 'bob']) await apiKeys.insert(keyOf(userId), createApiKey());
    const search = { id: 'q1', name: 'mine', query: 'x', createdAt: AT, updatedAt: AT };
    equal(await savedSearches.insert(id, search, 10), 'stored', 'saved search');
    const { deletedAt, ...receipt } = await people.remove(id);
    equal(
      receipt,
      {
        userId: id,
        name: 'Ann',
        memories: 45,
        highlights: 0,
        savedSearches: 1,
        apiKeys: 1,
        sessions: 0,
        pluginRuns: 0,
      },
      'receipt',
    );
    equal(await users.find(id), null, 'the person');
    equal(await storage.search(id, 'secret'), [], 'their texts');
    equal(await memories.matching(id, {}), [], 'their memories');
    equal(await apiKeys.list(id), [], 'their keys');
    equal(await storage.search('bob', 'secret'), [kept?.id], "another person's text");
    equal((await apiKeys.list('bob')).length, 1, "another person's key");
  });

  check('PPL-4: an invitation is used once, for one passkey of its person', async (storage) => {
    const { users, signIns, apiKeys } = storage;
    await users.insert(userOf('ann', { state: 'invited' }));
    const invitation = { userId: 'ann', id: 'i1', createdAt: AT, expiresAt: LATER };
    await signIns.invite({ ...invitation, id: 'i0' }, 'T0');
    await signIns.invite(invitation, 'T1');
    equal(await signIns.findInvitation('T0', AT), null, 'replaced');
    equal(await signIns.findInvitation('T1', AT), invitation, 'found');
    for (const wrong of ['T', 't1', 'i1', '']) equal(await signIns.findInvitation(wrong, AT), null, wrong);
    equal(await signIns.findInvitation('T1', LATER), null, 'expired');
    const accept = (number: number, token = 'T1', now = AT) => {
      const passkey = {
        userId: 'ann',
        id: `p${number}`,
        apiKeyId: `k${number}`,
        publicKey: 'x',
        counter: 0,
        createdAt: AT,
      };
      return signIns.accept(token, now, passkey, { ...keyOf('ann'), id: `k${number}` }, createApiKey());
    };
    equal(await accept(1, 'T2'), false, 'a wrong token');
    equal(await accept(1, 'T1', LATER), false, 'an expired token');
    equal((await users.find('ann'))?.state, 'invited', 'before');
    const outcomes = await Promise.all([accept(1), accept(2), accept(3)]);
    equal(outcomes.filter(Boolean).length, 1, 'concurrent uses');
    equal((await users.find('ann'))?.state, 'active', 'after');
    const [key] = await apiKeys.list('ann');
    const id = `p${key?.id.slice(1)}`;
    equal((await signIns.findPasskey(id))?.key, key, 'the passkey');
    equal(await signIns.findPasskey('unknown'), null, 'unknown');
    await signIns.countUse('ann', id, 7);
    equal((await signIns.findPasskey(id))?.passkey.counter, 7, 'counter');
    equal(await apiKeys.remove('ann', key?.id ?? ''), true, 'revoked');
    equal(await signIns.findPasskey(id), null, 'a passkey goes with its key');
  });

  check('PPL-5: servers share the secret of challenges, and each challenge is used once', async ({ signIns }) => {
    equal(await signIns.challengeSecret('first'), 'first', 'stored');
    equal(await signIns.challengeSecret('second'), 'first', 'kept');
    const use = (hash: string, now = AT) => signIns.useChallenge(hash, { now, until: LATER });
    equal([await use('a'), await use('b'), await use('a')], [true, true, false], 'used');
    equal(await use('a', LATER), true, 'expired');
  });

  check('PPL-8: an identity belongs to one person, and goes with its key', async ({ users, signIns, apiKeys }) => {
    await users.insert(userOf('ann', { state: 'invited' }));
    await users.insert(userOf('bob'));
    const link = (userId: string) =>
      signIns.link(
        { userId, issuer: 'https://id.example', subject: 's1', apiKeyId: 'k1', createdAt: AT },
        keyOf(userId),
        createApiKey(),
      );
    equal(await signIns.findIdentity('https://id.example', 's1'), null, 'before');
    equal([await link('ann'), await link('ann'), await link('bob')], [true, false, false], 'linked once');
    equal((await users.find('ann'))?.state, 'active', 'state');
    equal((await signIns.findIdentity('https://id.example', 's1'))?.userId, 'ann', 'found');
    equal(await signIns.findIdentity('https://other.example', 's1'), null, 'another issuer');
    equal(await signIns.findIdentity('https://id.example', 's\0'), null, 'NUL');
    await apiKeys.remove('ann', 'k1');
    equal(await signIns.findIdentity('https://id.example', 's1'), null, 'revoked');
  });

  check('PPL-12: a provider ends the sessions of an account, or one of them', async ({ users, signIns, sessions }) => {
    const issuer = 'https://id.example';
    for (const [userId, subject] of [
      ['ann', 's1'],
      ['bob', 's2'],
    ] as const) {
      await users.insert(userOf(userId));
      await signIns.link({ userId, issuer, subject, apiKeyId: 'k1', createdAt: AT }, keyOf(userId), createApiKey());
      for (const number of [1, 2, 3]) {
        const more = { createdAt: AT, lastUsedAt: null, expiresAt: LATER, providerSession: `p${number}` };
        await sessions.insert({ userId, id: `${number}`, apiKeyId: 'k1', label: '', ...more }, `${userId}${number}`);
      }
    }
    const open = async (userId: string) => (await sessions.list(userId)).map(({ id }) => id).toSorted();
    const end = (subject: string | null, session: string | null, of = issuer) =>
      sessions.removeOfProvider({ issuer: of, subject, session });
    equal(await end('s1', null, 'https://other.example'), 0, 'another issuer');
    equal([await end('s1', 'p1'), await end('s1', 'p9')], [1, 0], 'one');
    equal(await end(null, 'p2'), 2, 'of any subject');
    equal([await open('ann'), await open('bob')], [['3'], ['1', '3']], 'left');
    equal([await end('s2', null), await end('s\0', null)], [2, 0], 'all');
    equal([await open('ann'), await open('bob')], [['3'], []], 'then');
  });

  check('PPL-6: the audit log keeps the newest entries', async ({ auditLog }) => {
    const entry = (target: string) => ({
      at: AT,
      actorId: 'local',
      operation: 'x',
      target,
      details: { role: 'guest' },
    });
    for (const target of ['a', 'b', 'c', 'd']) await auditLog.add(entry(target), 3);
    const listed = await auditLog.list(2, null);
    equal(
      listed.map(({ at, actorId, operation, target, details }) => [at, actorId, operation, target, details]),
      ['d', 'c'].map((target) => [AT, 'local', 'x', target, { role: 'guest' }]),
      'newest first',
    );
    const earlier = await auditLog.list(10, listed.at(-1)?.position ?? null);
    equal(
      earlier.map(({ target }) => target),
      ['b'],
      'before',
    );
  });

  check('PPL-7: a full quota refuses what adds, and accepts what removes', async ({ users, memories, insert }) => {
    const quota = { ...NO_QUOTA, memories: 2 };
    await users.insert(userOf('ann', { quota }));
    const drafts = Array.from({ length: 4 }, (_, at) => createNewMemory({ chunks: [`text ${at}`] }));
    const [first, second, third, fourth] = drafts as [NewMemory, NewMemory, NewMemory, NewMemory];
    await insert('ann', first, second);
    equal(await codeOf(insert('ann', third)), 'QUOTA_EXCEEDED', 'a third');
    equal((await memories.matching('ann', {})).length, 2, 'kept');
    equal(
      (await insert('ann', second)).map(({ status }) => status),
      ['duplicate'],
      'a known one',
    );
    await memories.trash('ann', first.memory.id, AT);
    await insert('ann', third);
    const change = { now: AT, indexing: { status: 'pending' as const }, changeMark: { changeId: 'c', actor: null } };
    equal(await codeOf(memories.restore('ann', first.memory.id, change)), 'QUOTA_EXCEEDED', 'from the trash');
    await users.update('ann', { quota: { ...NO_QUOTA, memories: 1 } });
    await memories.trash('ann', second.memory.id, AT);
    await users.update('ann', { quota: { ...NO_QUOTA, bytes: 20 } });
    equal(await codeOf(insert('ann', fourth)), 'QUOTA_EXCEEDED', 'bytes, with the trash');
    await memories.emptyTrash('ann', { limit: 10 });
    await insert('ann', fourth);
    const sizes = (await users.list()).map(({ id, memories: count, bytes }) => [id, count, bytes]);
    equal(
      sizes,
      [
        [LOCAL_USER, 0, 0],
        ['ann', 2, 12],
      ],
      'sizes',
    );
    for (const draft of drafts) await insert(LOCAL_USER, draft);
  });
}

/** The code with which something fails; null if it does not. */
async function codeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? 'another error';
  }
}
