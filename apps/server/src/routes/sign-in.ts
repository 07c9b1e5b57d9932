import { type Core, RecollectError } from '@recollect/core';
import type { FastifyReply } from 'fastify';
import type { AccountsPolicy } from '../access-policy.js';
import { type App, bindOperation } from '../bind-operation.js';
import type { RequestContext } from '../gate/gate.js';
import type { CookieScope } from '../gate/identify.js';
import { valuesOf } from '../gate/raw-header.js';
import { type Attempt, createProvider } from '../provider.js';
import { openSession } from './sessions.js';

const COOKIE = 'recollect-sign-in';
/** Seconds in which a person signs in at the provider. */
const ATTEMPT_AGE = 600;
/** A state, a nonce and a verifier: base64url, as the library makes them. */
const ATTEMPT = /^([\w-]{20,128})\.([\w-]{20,128})\.([\w-]{43,128})$/;

/**
 * PPL-8: signing in at a provider of identities. The browser keeps the secrets of its attempt in a cookie, which it
 * also sends when the provider's page leads back. A failure leads to the web app, which says why.
 */
export function signInRoutes(app: App, core: Core, { provider: policy }: AccountsPolicy): void {
  const provider = policy && createProvider(policy);

  bindOperation(app, 'startSignIn', async ({ admission, reply }) => {
    if (provider === null) throw noProvider();
    return leadOn(admission, reply, async () => {
      const { address, attempt } = await provider.begin(callbackOf(admission));
      reply.header('set-cookie', attemptCookie(attempt, admission.cookieScope));
      return address.href;
    });
  });

  bindOperation(app, 'finishSignIn', async ({ admission, reply }) => {
    if (provider === null || policy === null) throw noProvider();
    return leadOn(admission, reply, async () => {
      const attempt = readAttempt(reply.request.raw.rawHeaders);
      reply.header('set-cookie', attemptCookie(null, admission.cookieScope));
      if (attempt === null) throw new RecollectError('SIGN_IN_REFUSED', 'The attempt to sign in is too old.');
      const current = new URL(callbackOf(admission) + new URL(reply.request.url, 'http://host').search);
      const identity = await provider.finish(current, attempt);
      const holder = await core.identities.signIn(identity, { provider: policy.name, signsUp: policy.signsUp });
      await openSession(core, holder, { admission, reply, label: policy.name, providerSession: identity.session });
      return `${admission.baseUrl}/`;
    });
  });

  bindOperation(app, 'endProviderSession', async ({ admission, body }) => {
    if (provider === null) throw noProvider();
    try {
      const { tokenId, ...ended } = await provider.readLogout(body.logout_token);
      if (!(await core.challenges.use(`logout ${ended.issuer} ${tokenId}`))) throw usedToken();
      await core.sessions.endOfProvider(ended);
    } catch (error) {
      if (!(error instanceof RecollectError) || error.code !== 'SIGN_IN_REFUSED') throw error;
      admission.countFailure();
      throw new RecollectError('VALIDATION_FAILED', 'The logout token is not valid.', { cause: error });
    }
    return undefined;
  });
}

function usedToken(): RecollectError {
  return new RecollectError('SIGN_IN_REFUSED', 'The logout token was used before.');
}

/** Redirects to an address or, after a failure, to the web app with its reason, of which there are a few. */
async function leadOn({ baseUrl, countFailure }: RequestContext, reply: FastifyReply, work: () => Promise<string>) {
  try {
    return reply.redirect(await work(), 302);
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error;
    if (error.code === 'SIGN_IN_REFUSED') countFailure();
    const reason = error.code === 'UNAVAILABLE' ? 'unavailable' : /^Nobody/.test(error.message) ? 'unknown' : 'refused';
    return reply.redirect(`${baseUrl}/#sign-in=${reason}`, 302);
  }
}

function callbackOf({ baseUrl }: RequestContext): string {
  return `${baseUrl}/sign-in/callback`;
}

/** Browsers send a lax cookie with the navigation from the provider's page. */
function attemptCookie(attempt: Attempt | null, { isSecure, path }: CookieScope): string {
  const value = attempt === null ? '' : `${attempt.state}.${attempt.nonce}.${attempt.verifier}`;
  const age = attempt === null ? 0 : ATTEMPT_AGE;
  const secure = isSecure ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=${path}/sign-in; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}

function readAttempt(rawHeaders: readonly string[]): Attempt | null {
  const sent = valuesOf(rawHeaders, 'cookie')
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`));
  const [, state, nonce, verifier] = ATTEMPT.exec(sent[0]?.slice(COOKIE.length + 1) ?? '') ?? [];
  if (sent.length !== 1 || state === undefined || nonce === undefined || verifier === undefined) return null;
  return { state, nonce, verifier };
}

function noProvider(): RecollectError {
  return new RecollectError('NOT_FOUND', 'This deployment has no sign-in provider.');
}
