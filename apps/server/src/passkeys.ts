import { createHmac, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto';
import { type NewPasskey, RecollectError, type StoredPasskey, type User } from '@recollect/core';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import ipaddr from 'ipaddr.js';

/** How long a browser has to answer a challenge, in milliseconds. */
const VALID_FOR = 5 * 60_000;
/** Bytes of a challenge: random ones and the time are its head, and a seal follows. */
const RANDOM = 16;
const HEAD = RANDOM + 8;
const SEAL = 32;

export interface Passkeys {
  /** Returns the options to make a passkey. Throws PASSKEY_REJECTED if the address cannot have passkeys. */
  registration(origin: string, user: Pick<User, 'id' | 'name' | 'address'>): Promise<Record<string, unknown>>;
  /** Checks a new passkey. Throws PASSKEY_REJECTED. */
  verifyRegistration(origin: string, response: object): Promise<NewPasskey>;
  /** Returns the options to use a passkey. Throws PASSKEY_REJECTED if the address cannot have passkeys. */
  authentication(origin: string): Promise<Record<string, unknown>>;
  /** Checks the use of a passkey, and returns its counter. Throws PASSKEY_REJECTED. */
  verify(origin: string, response: object, passkey: StoredPasskey): Promise<number>;
}

/**
 * Makes and checks passkeys (WebAuthn). The authenticator has to verify its user, since a passkey replaces a password.
 * Each challenge can be answered once, at this process.
 */
export function createPasskeys(): Passkeys {
  const challenges = createChallenges();
  // Loaded only if several people use the deployment.
  const library = () => import('@simplewebauthn/server');

  return {
    async registration(origin, { id, name, address }) {
      const rpID = relyingPartyOf(origin);
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: 'Recollect',
        challenge: challenges.create(),
        rpID,
        userID: new TextEncoder().encode(id),
        userName: address ?? name,
        userDisplayName: name,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      return { ...options };
    },

    async verifyRegistration(origin, response) {
      const { verifyRegistrationResponse } = await library();
      const verified = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: challenges.take,
        expectedOrigin: origin,
        expectedRPID: relyingPartyOf(origin),
      }).catch(reject);
      if (!verified.verified) return reject(null);
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
    },

    async authentication(origin) {
      const rpID = relyingPartyOf(origin);
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: challenges.create(),
        userVerification: 'required',
      });
      return { ...options };
    },

    async verify(origin, response, { id, publicKey, counter }) {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenges.take,
        expectedOrigin: origin,
        expectedRPID: relyingPartyOf(origin),
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      }).catch(reject);
      return verified ? authenticationInfo.newCounter : reject(null);
    },
  };
}

/** The host of an origin, which its passkeys belong to. */
function relyingPartyOf(origin: string): string {
  const { hostname } = new URL(origin);
  if (!ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))) return hostname;
  throw new RecollectError(
    'PASSKEY_REJECTED',
    'Passkeys need a host name. Open this page by the name of the server, such as localhost, instead of its IP address.',
  );
}

/** Hides the library's errors, which can contain what the client sent. */
function reject(cause: unknown): never {
  throw new RecollectError('PASSKEY_REJECTED', 'The passkey was not accepted. Try again.', { cause });
}

/**
 * Makes challenges that carry their time and a seal, so that nothing has to be kept for those who only ask. Only used
 * ones are kept, until they expire.
 */
function createChallenges() {
  const secret = randomBytes(32);
  const used = new Map<string, number>();
  const seal = (head: Buffer) => createHmac('sha256', secret).update(head).digest();
  return {
    create(): Uint8Array<ArrayBuffer> {
      const head = Buffer.alloc(HEAD);
      randomFillSync(head, 0, RANDOM);
      head.writeDoubleBE(performance.now(), RANDOM);
      return new Uint8Array(Buffer.concat([head, seal(head)]));
    },
    /** Whether a challenge is ours and has not expired. It can be answered once. */
    take(challenge: string): boolean {
      const now = performance.now();
      const bytes = Buffer.from(challenge, 'base64url');
      const head = bytes.subarray(0, HEAD);
      if (bytes.length !== HEAD + SEAL || !timingSafeEqual(bytes.subarray(HEAD), seal(head))) return false;
      for (const [old, until] of used) if (until < now) used.delete(old);
      const until = head.readDoubleBE(RANDOM) + VALID_FOR;
      if (until < now || used.has(challenge)) return false;
      used.set(challenge, until);
      return true;
    },
  };
}
