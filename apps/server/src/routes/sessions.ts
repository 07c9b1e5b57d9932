import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';
import { originNotAllowed } from '../gate/check-origin.js';
import { sessionCookie } from '../gate/identify.js';

/** SEC-19: sessions of the web app. */
export function sessionRoutes(app: App, { apiKeys, sessions }: Core): void {
  bindOperation(app, 'sessionState', async ({ identity, admission: { needsKey } }) => ({
    needsKey,
    scopes: identity === null ? null : [...identity.scopes],
    sessionId: identity?.sessionId ?? null,
  }));

  bindOperation(app, 'signIn', async ({ admission, body, reply }) => {
    const { hasOwnOrigin, cookieScope, needsKey, sessionToken } = admission;
    // Otherwise another site could sign its visitor in with the site's key.
    if (!hasOwnOrigin) throw originNotAllowed();
    const holder = await apiKeys.authenticate(body.apiKey.trim());
    if (holder === null) {
      admission.countFailure();
      throw new RecollectError(
        'API_KEY_INVALID',
        'The API key is invalid, expired or revoked. Create a new one with recollect keys create.',
      );
    }
    // A new sign-in always has a new token, and the former session of this browser ends.
    if (sessionToken !== null) await sessions.end(sessionToken);
    const { token, session } = await sessions.open(holder, body.label ?? '');
    reply.header('set-cookie', sessionCookie(token, cookieScope));
    return { needsKey, scopes: [...holder.scopes], sessionId: session.id };
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
