import { type Core, RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';
import { originNotAllowed } from '../gate/check-origin.js';
import type { RequestContext } from '../gate/gate.js';
import { createPasskeys } from '../passkeys.js';
import { openSession } from './sessions.js';

/** PPL-4, PPL-5: invitations and passkeys. Only pages of this deployment may use them. */
export function peopleRoutes(app: App, core: Core): void {
  const { invitations, audit } = core;
  const passkeys = createPasskeys(core.challenges);

  bindOperation(app, 'invitePerson', async ({ identity, admission, body }) => {
    const { token, expiresAt, person } = await invitations.invite(body);
    await audit.record(identity.userId, 'invitePerson', person.id, { role: person.role });
    return { link: `${admission.baseUrl}/#invite=${token}`, expiresAt, person };
  });

  bindOperation(app, 'openInvitation', async ({ admission, body }) => {
    const origin = originOf(admission);
    const user = await countFailure(admission, () => invitations.open(body.token));
    return { name: user.name, options: await passkeys.registration(origin, user) };
  });

  bindOperation(app, 'acceptInvitation', async ({ admission, body, reply }) => {
    const origin = originOf(admission);
    const holder = await countFailure(admission, async () => {
      await invitations.open(body.token);
      const passkey = await passkeys.verifyRegistration(origin, body.response);
      return invitations.accept(body.token, passkey, body.label ?? '');
    });
    return openSession(core, holder, { admission, reply, label: body.label });
  });

  bindOperation(app, 'passkeyChallenge', async ({ admission }) => ({
    options: await passkeys.authentication(originOf(admission)),
  }));

  bindOperation(app, 'signInWithPasskey', async ({ admission, body, reply }) => {
    const origin = originOf(admission);
    const holder = await countFailure(admission, async () => {
      const { id } = body.response;
      const passkey = typeof id === 'string' ? await invitations.findPasskey(id) : null;
      if (passkey === null)
        throw new RecollectError('PASSKEY_REJECTED', 'This passkey is not known here. Ask for a new invitation.');
      return invitations.use(passkey, await passkeys.verify(origin, body.response, passkey));
    });
    return openSession(core, holder, { admission, reply, label: body.label });
  });
}

/** The origin of the page that asks. Otherwise another site could sign its visitor in. */
function originOf({ ownOrigin }: RequestContext): string {
  if (ownOrigin === null) throw originNotAllowed();
  return ownOrigin;
}

/** Counts a wrong invitation or passkey as a failed authentication (SEC-10). */
async function countFailure<T>(admission: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof RecollectError && /^(?:INVITATION_INVALID|PASSKEY_REJECTED)$/.test(error.code);
    if (isRefused) admission.countFailure();
    throw error;
  }
}
