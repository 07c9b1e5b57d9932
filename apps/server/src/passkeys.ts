import { type Challenges, type NewPasskey, RecollectError, type StoredPasskey, type User } from '@recollect/core';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import ipaddr from 'ipaddr.js';

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
 * Each challenge can be answered once, at any server of the store.
 */
export function createPasskeys(challenges: Challenges): Passkeys {
  // Loaded only if several people use the deployment.
  const library = () => import('@simplewebauthn/server');
  // Only an answer that was verified is written, so that those who guess cause no writes.
  const isFirstUse = (response: object) => challenges.use(challengeOf(response));

  return {
    async registration(origin, { id, name, address }) {
      const rpID = relyingPartyOf(origin);
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: 'Recollect',
        challenge: await challenges.create(),
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
        expectedChallenge: challenges.isOpen,
        expectedOrigin: origin,
        expectedRPID: relyingPartyOf(origin),
      }).catch(reject);
      if (!verified.verified || !(await isFirstUse(response))) return reject(null);
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
    },

    async authentication(origin) {
      const rpID = relyingPartyOf(origin);
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID,
        challenge: await challenges.create(),
        userVerification: 'required',
      });
      return { ...options };
    },

    async verify(origin, response, { id, publicKey, counter }) {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenges.isOpen,
        expectedOrigin: origin,
        expectedRPID: relyingPartyOf(origin),
        credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      }).catch(reject);
      return verified && (await isFirstUse(response)) ? authenticationInfo.newCounter : reject(null);
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

/** The challenge that a verified response has signed. */
function challengeOf(response: object): string {
  const { clientDataJSON } = (response as AuthenticationResponseJSON).response;
  return JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()).challenge;
}

/** Hides the library's errors, which can contain what the client sent. */
function reject(cause: unknown): never {
  throw new RecollectError('PASSKEY_REJECTED', 'The passkey was not accepted. Try again.', { cause });
}
