import { createApiKey } from '#core/access/api-key-format.js';
import type { StoredPairing } from '#core/ports/index.js';
import { equal } from './assert.js';
import type { Check } from './harness.js';

const NOW = '2026-01-31T12:00:00.000Z';
const LATER = '2026-01-31T12:10:00.000Z';

function pairingOf(userId: string, id: string, expiresAt = LATER): StoredPairing {
  return { userId, id, expiresAt, apiKeyId: null };
}

function keyMaker(id: string) {
  const key = createApiKey();
  return (userId: string) => ({
    stored: {
      userId,
      id,
      name: null,
      prefix: key.slice(0, 12),
      scopes: ['memory:read' as const],
      createdAt: NOW,
      lastUsedAt: null,
      expiresAt: null,
    },
    key,
  });
}

/** Registers the cases for pairing codes. */
export function checkPairings(check: Check): void {
  check('KEY-4: exchanges a code once, for a key of its user', async ({ pairings, apiKeys }) => {
    await pairings.insert(pairingOf('ann', 'p1'), 'CODE1');
    equal(await pairings.get('ann', 'p1'), { pairing: pairingOf('ann', 'p1'), key: null }, 'before');
    for (const wrong of ['CODE', 'CODE2', 'code1', 'p1', '']) {
      equal(await pairings.redeem(wrong, NOW, keyMaker('k0')), null, `redeemed by ${wrong}`);
    }
    const outcomes = await Promise.all(['k1', 'k2', 'k3'].map((id) => pairings.redeem('CODE1', NOW, keyMaker(id))));
    const redeemed = outcomes.filter((outcome) => outcome !== null);
    equal(redeemed.length, 1, 'concurrent redemptions');
    const [winner] = redeemed;
    equal(await apiKeys.list('ann'), [winner?.stored], 'keys');
    equal(await apiKeys.find(winner?.key ?? ''), winner?.stored, 'by the key');
    equal((await pairings.get('ann', 'p1'))?.key, winner?.stored, 'state');
    equal(await pairings.get('bob', 'p1'), null, "another user's code");
  });

  check('KEY-4: an expired code makes no key', async ({ pairings, apiKeys }) => {
    await pairings.insert(pairingOf('ann', 'p1'), 'CODE1');
    equal(await pairings.redeem('CODE1', LATER, keyMaker('k1')), null, 'at its end');
    equal(await apiKeys.list('ann'), [], 'keys');
    await pairings.insert(pairingOf('ann', 'p2', '2026-01-31T13:00:00.000Z'), 'CODE2');
    await pairings.removeExpired(LATER);
    equal(await pairings.get('ann', 'p1'), null, 'expired');
    equal((await pairings.get('ann', 'p2'))?.pairing.id, 'p2', 'valid');
  });

  check('KEY-4: a used code goes with its key', async ({ pairings, apiKeys }) => {
    await pairings.insert(pairingOf('ann', 'p1'), 'CODE1');
    await pairings.redeem('CODE1', NOW, keyMaker('k1'));
    equal(await apiKeys.remove('ann', 'k1'), true, 'revoked');
    equal(await pairings.get('ann', 'p1'), null, 'state');
    equal(await pairings.redeem('CODE1', NOW, keyMaker('k2')), null, 'redeemed again');
  });
}
