import type { Identity, ProviderLogout } from '@recollect/core';
import { RecollectError } from '@recollect/core';
import type { createRemoteJWKSet, JWTPayload } from 'jose';
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client';
import { isLoopback, type ProviderPolicy } from './access-policy.js';

/** Seconds that a provider may take to answer. */
const TIMEOUT = 10;
/** Seconds for which a logout token is accepted, and by which clocks may differ. */
const LOGOUT_AGE = 600;
const TOLERANCE = 60;
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures with a key of the provider. A token without one, or with the client's secret, is not accepted. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
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
  /** Checks a logout token, and returns what has ended. Throws SIGN_IN_REFUSED. */
  readLogout(token: string): Promise<ProviderLogout & { tokenId: string }>;
}

/**
 * Signs people in at a provider of identities (OpenID Connect): discovery, the code flow with PKCE, state and nonce.
 * The library checks signature, issuer, audience and expiry of the answer.
 */
export function createProvider({ issuer, clientId, clientSecret, roleClaim }: ProviderPolicy): Provider {
  // Loaded only if someone signs in this way.
  const library = () => import('openid-client');
  let discovered: Promise<Configuration> | null = null;
  let keys: ReturnType<typeof createRemoteJWKSet> | null = null;

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

    async readLogout(token) {
      const config = await configuration();
      const { jwks_uri: keysAddress, issuer: name } = config.serverMetadata();
      if (keysAddress === undefined) return refuse(null);
      const { createRemoteJWKSet, jwtVerify } = await import('jose');
      keys ??= createRemoteJWKSet(new URL(keysAddress), { timeoutDuration: TIMEOUT * 1_000 });
      const verified = await jwtVerify(token, keys, {
        issuer: name,
        audience: clientId,
        algorithms: [...ALGORITHMS],
        maxTokenAge: LOGOUT_AGE,
        clockTolerance: TOLERANCE,
        requiredClaims: ['iat', 'jti', 'events'],
      }).catch(refuse);
      return toLogout(verified.payload, verified.protectedHeader.typ) ?? refuse(null);
    },
  };
}

/** What a logout token says has ended (OpenID Connect Back-Channel Logout, 2.4). Null if it is not such a token. */
function toLogout(
  { iss, sub, sid, jti, events, nonce }: JWTPayload,
  type: string | undefined,
): (ProviderLogout & { tokenId: string }) | null {
  const isTyped = type === undefined || /^(?:application\/)?(?:logout\+)?jwt$/i.test(type);
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[LOGOUT] : undefined;
  const isLogout = typeof event === 'object' && event !== null && nonce === undefined;
  const isNamed = typeof sub === 'string' || typeof sid === 'string';
  if (!isTyped || !isLogout || !isNamed || iss === undefined || jti === undefined) return null;
  return { issuer: iss, subject: sub ?? null, session: typeof sid === 'string' ? sid : null, tokenId: jti };
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
    session: typeof claims.sid === 'string' ? claims.sid : null,
  };
}

function refuse(cause: unknown): never {
  throw new RecollectError('SIGN_IN_REFUSED', 'The sign-in provider gave no valid answer. Try again.', { cause });
}
