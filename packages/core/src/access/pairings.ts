import type { ApiKeyAnswer, Pairing, PairingAnswer, Scope } from '@recollect/contract';
import { limits } from '@recollect/contract/limits';
import { RecollectError } from '../error.js';
import type { CorePorts } from '../ports/core-ports.js';
import { createId } from '../text/create-id.js';
import { draftApiKey, toApiKey } from './api-keys.js';
import { createPairingCode, parsePairingCode } from './pairing-code.js';

const MINUTE = 60_000;
/** A paired device saves and reads. */
const SCOPES: readonly Scope[] = ['capture:write', 'memory:read'];
/** The date in the name of a key, such as 29 Nov 2026. */
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** One-time codes with which a device gets its own API key (KEY-4). */
export interface Pairings {
  /** Creates a code. Only this answer contains it. */
  create(userId: string): Promise<PairingAnswer>;
  /** Returns whether a device has used a code. Throws NOT_FOUND. */
  state(userId: string, id: string): Promise<Pairing>;
  /**
   * Exchanges a code, as a person may type it, for a new key that can save and read. Throws PAIRING_CODE_INVALID if the
   * code is wrong, used or expired.
   */
  redeem(code: string, device?: string | null | undefined): Promise<ApiKeyAnswer>;
}

/**
 * Creates and redeems pairing codes. The key is created when the code is redeemed, so no valid key waits for a device.
 *
 * @example
 * const { code } = await core.pairings.create(LOCAL_USER);
 * const { key } = await core.pairings.redeem(code, 'Safari on iPhone');
 */
export function createPairings({ pairings, clock }: Pick<CorePorts, 'pairings' | 'clock'>): Pairings {
  return {
    async create(userId) {
      const now = clock.now();
      const code = createPairingCode();
      const expiresAt = new Date(now.getTime() + limits.pairing.minutes * MINUTE).toISOString();
      const stored = { userId, id: createId(now), expiresAt, apiKeyId: null };
      await pairings.removeExpired(now.toISOString());
      await pairings.insert(stored, parsePairingCode(code) ?? code);
      return { code, pairing: { id: stored.id, expiresAt, apiKey: null } };
    },

    async state(userId, id) {
      const match = await pairings.get(userId, id);
      if (match === null) throw new RecollectError('NOT_FOUND', 'There is no pairing code with this id.');
      const { pairing, key } = match;
      return { id, expiresAt: pairing.expiresAt, apiKey: key && toApiKey(key) };
    },

    async redeem(typed, device) {
      const code = parsePairingCode(typed);
      const now = clock.now();
      const name = `${device?.trim() || 'Device'}, paired ${DATE.format(now)}`;
      const createKey = (userId: string) => draftApiKey(userId, { name, scopes: SCOPES }, now);
      const redeemed = code === null ? null : await pairings.redeem(code, now.toISOString(), createKey);
      if (redeemed !== null) return { key: redeemed.key, apiKey: toApiKey(redeemed.stored) };
      // One answer for all reasons: it tells a guesser nothing.
      throw new RecollectError(
        'PAIRING_CODE_INVALID',
        'The code is wrong, used or expired. Create a new one in Settings, Connect, on a device that is connected already.',
      );
    },
  };
}
