import type { Identity } from '@recollect/core';
import { RecollectError } from '@recollect/core';
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import { isLoopback, type ProviderPolicy } from './access-policy.js';

/** Seconds that a provider may take to answer. */
const TIMEOUT = 10;
const ROLES = ['owner', 'member', 'guest'] as const;

/** The secrets of one sign-in, which its browser keeps until it comes back. */
export interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** A provider of identities. Its methods throw UNAVAILABLE while it cannot be reached. */
export interface Provider {
  /** The address to which a browser is sent, and the secrets of the attempt. */
  begin(callback: string): Promise<{ address: URL; attempt: Attempt }>;
  /** Returns the account that signed in. Throws SIGN_IN_REFUSED for the answer to another attempt or client. */
  finish(current: URL, attempt: Attempt): Promise<Identity>;
}

/**
 * Signs people in at a provider of identities (OpenID Connect): discovery, the code flow with PKCE, state and nonce.
 * The library checks signature, issuer, audience and expiry of the answer.
 */
export function createProvider({ issuer, clientId, clientSecret, roleClaim }: ProviderPolicy): Provider {
  // Loaded only if someone signs in this way.
  const library = () => import('openid-client');
  let discovered: Promise<Configuration> | null = null;

  const discover = async (): Promise<Configuration> => {
    const { allowInsecureRequests, discovery, None } = await library();
    const isLocal = issuer.protocol === 'http:' && isLoopback(issuer.hostname);
    const authentication = clientSecret === null ? None() : undefined;
    return discovery(issuer, clientId, clientSecret ?? undefined, authentication, {
      timeout: TIMEOUT,
      execute: isLocal ? [allowInsecureRequests] : [],
    });
  };
  const configuration = async () => {
    discovered ??= discover();
    try {
      return await discovered;
    } catch (cause) {
      // The next sign-in tries again.
      discovered = null;
      throw new RecollectError('UNAVAILABLE', 'The sign-in provider cannot be reached now. Try again soon.', { cause });
    }
  };

  return {
    async begin(callback) {
      const config = await configuration();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await library();
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const address = buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { address, attempt };
    },

    async finish(current, { state, nonce, verifier }) {
      const config = await configuration();
      const { authorizationCodeGrant, fetchUserInfo } = await library();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      try {
        const tokens = await authorizationCodeGrant(config, current, checks);
        const claims = tokens.claims();
        if (claims === undefined) return refuse(null);
        const hasDetails = config.serverMetadata().userinfo_endpoint !== undefined;
        const details = hasDetails ? await fetchUserInfo(config, tokens.access_token, claims.sub) : null;
        return toIdentity(claims, details, roleClaim);
      } catch (cause) {
        return refuse(cause);
      }
    },
  };
}

/** The account of a token. What the provider says of it may be in either answer. */
function toIdentity(claims: IDToken, details: UserInfoResponse | null, roleClaim: string | null): Identity {
  const all: Record<string, unknown> = { ...details, ...claims };
  const { email, email_verified: isVerified, name } = all;
  const given = roleClaim === null ? [] : [all[roleClaim]].flat();
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: typeof name === 'string' && name.trim() !== '' ? name : null,
    address: typeof email === 'string' && isVerified === true ? email : null,
    role: ROLES.find((role) => given.includes(role)) ?? null,
  };
}

function refuse(cause: unknown): never {
  throw new RecollectError('SIGN_IN_REFUSED', 'The sign-in provider gave no valid answer. Try again.', { cause });
}
