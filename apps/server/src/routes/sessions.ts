import type { SessionState } from '@recollect/contract';
import { type Core, type KeyHolder, RecollectError } from '@recollect/core';
import type { FastifyReply } from 'fastify';
import type { AccountsPolicy } from '../access-policy.js';
import { type App, bindOperation } from '../bind-operation.js';
import { originNotAllowed } from '../gate/check-origin.js';
import type { RequestContext } from '../gate/gate.js';
import { sessionCookie } from '../gate/identify.js';

/** SEC-19: sessions of the web app. */
export function sessionRoutes(app: App, { apiKeys, sessions, people }: Core, { isOn, provider }: AccountsPolicy): void {
  bindOperation(app, 'sessionState', async ({ identity, admission: { needsKey } }) => ({
    needsKey,
    scopes: identity === null ? null : [...identity.scopes],
    sessionId: identity?.sessionId ?? null,
    hasAccounts: isOn || provider !== null || (await people.hasOthers()),
    provider: provider?.name ?? null,
  }));

  bindOperation(app, 'signIn', async ({ admission, body, reply }) => {
    // Otherwise another site could sign its visitor in with the site's key.
    if (!admission.hasOwnOrigin) throw originNotAllowed();
    const holder = await apiKeys.authenticate(body.apiKey.trim());
    if (holder === null) {
      admission.countFailure();
      throw new RecollectError(
        'API_KEY_INVALID',
        'The API key is invalid, expired or revoked. Create a new one with recollect keys create.',
      );
    }
    return openSession({ sessions, people }, holder, { admission, reply, label: body.label });
  });

  bindOperation(app, 'signOut', async ({ admission: { cookieScope, hasOwnOrigin, sessionToken }, reply }) => {
    if (!hasOwnOrigin) throw originNotAllowed();
    if (sessionToken !== null) await sessions.end(sessionToken);
    reply.header('set-cookie', sessionCookie(null, cookieScope));
    return undefined;
  });

  bindOperation(app, 'listSessions', ({ identity: { userId } }) => sessions.list(userId));
  bindOperation(app, 'revokeSession', async ({ identity: { userId }, parameters }) => {
    await sessions.revoke(userId, parameters.id);
    return undefined;
  });
}

/**
 * Opens a session and sets its cookie. A new sign-in always has a new token, and the former session of this browser
 * ends.
 */
export async function openSession(
  { sessions, people }: Pick<Core, 'sessions' | 'people'>,
  holder: KeyHolder,
  {
    admission,
    reply,
    label,
    providerSession = null,
  }: {
    admission: RequestContext;
    reply: FastifyReply;
    label: string | null | undefined;
    providerSession?: string | null;
  },
): Promise<SessionState> {
  const { cookieScope, needsKey, sessionToken } = admission;
  if (sessionToken !== null) await sessions.end(sessionToken);
  const { token, session } = await sessions.open(holder, label ?? '', { providerSession });
  reply.header('set-cookie', sessionCookie(token, cookieScope));
  return {
    needsKey,
    scopes: [...holder.scopes],
    sessionId: session.id,
    hasAccounts: await people.hasOthers(),
    provider: null,
  };
}
