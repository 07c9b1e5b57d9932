import { RecollectError } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';
import { isDirect } from '../gate/is-direct.js';
import { proveSecret } from '../gate/owner-secret.js';

/** SEC-18: a command sends its secret, and what it saves, only to the server that knows the secret. */
export function serverProofRoutes(app: App, ownerSecret: string | null): void {
  bindOperation(app, 'proveServer', async ({ body, reply }) => {
    if (ownerSecret === null || !isDirect(reply.request.raw))
      throw new RecollectError('NOT_FOUND', 'This server takes no commands from here.');
    return { proof: proveSecret(ownerSecret, body.challenge) };
  });
}
