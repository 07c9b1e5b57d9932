import type { CorePorts } from '../ports/core-ports.js';
import { decodeBase64, sha256 } from '../text/bytes.js';
import { createToken } from './create-token.js';

/** How long a browser has to answer a challenge, in milliseconds. */
const VALID_FOR = 5 * 60_000;
/** Bytes of a challenge: random ones and the time are its head, and a seal follows. */
const RANDOM = 16;
const HEAD = RANDOM + 8;
const SEAL = 32;

/** The challenges that passkeys sign. */
export interface Challenges {
  create(): Promise<Uint8Array<ArrayBuffer>>;
  /** Whether a challenge in base64url comes from a server of this store, and has not expired. */
  isOpen(challenge: string): Promise<boolean>;
  /** Marks an answered challenge as used. False if it was used before. */
  use(challenge: string): Promise<boolean>;
}

/**
 * Makes challenges that carry their time and a seal, so that nothing is written for those who only ask. Servers of one
 * store share the key of the seal, and the used challenges until they expire.
 *
 * @example
 * const challenge = await core.challenges.create();
 */
export function createChallenges({ signIns, clock }: Pick<CorePorts, 'signIns' | 'clock'>): Challenges {
  let key: Promise<CryptoKey> | null = null;
  const loadKey = async () => {
    const secret = new TextEncoder().encode(await signIns.challengeSecret(createToken()));
    return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  };
  const sealKey = () => {
    key ??= loadKey().catch((error) => {
      // The next sign-in tries again.
      key = null;
      throw error;
    });
    return key;
  };

  return {
    async create() {
      const challenge = new Uint8Array(HEAD + SEAL);
      crypto.getRandomValues(challenge.subarray(0, RANDOM));
      new DataView(challenge.buffer).setFloat64(RANDOM, clock.now().getTime());
      const seal = await crypto.subtle.sign('HMAC', await sealKey(), challenge.subarray(0, HEAD));
      challenge.set(new Uint8Array(seal), HEAD);
      return challenge;
    },

    async isOpen(challenge) {
      const bytes = decodeBase64(challenge.replaceAll('-', '+').replaceAll('_', '/'));
      if (bytes?.length !== HEAD + SEAL) return false;
      const [head, seal] = [bytes.subarray(0, HEAD), bytes.subarray(HEAD)];
      if (!(await crypto.subtle.verify('HMAC', await sealKey(), seal, head))) return false;
      const age = clock.now().getTime() - new DataView(bytes.buffer).getFloat64(RANDOM);
      // The clocks of two servers differ a little.
      return age <= VALID_FOR && age >= -VALID_FOR;
    },

    async use(challenge) {
      const now = clock.now().getTime();
      const [at, until] = [new Date(now).toISOString(), new Date(now + 2 * VALID_FOR).toISOString()];
      return signIns.useChallenge(await sha256(challenge), { now: at, until });
    },
  };
}
