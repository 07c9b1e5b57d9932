import { RecollectError } from '@recollect/core';
import type { AccessPolicy } from '../access-policy.js';
import { type App, bindOperation } from '../bind-operation.js';
import { proveSecret } from '../gate/identify.js';
import { isDirect } from '../gate/raw-header.js';
import type { Metrics } from '../metrics/metrics.js';

/** SYS-1. `check` throws if the store is unusable, and `checkHere` if a restart of this process may help. */
export function healthRoutes(
  app: App,
  { check, checkHere }: Record<'check' | 'checkHere', () => Promise<void>>,
  version: string,
): void {
  const answer = async (look: () => Promise<void>) => {
    try {
      await look();
    } catch (cause) {
      if (cause instanceof RecollectError) throw cause;
      throw new RecollectError('UNAVAILABLE', 'The store cannot be read at the moment. Try again soon.', { cause });
    }
    return { status: 'ok' as const, version };
  };
  bindOperation(app, 'health', () => answer(checkHere));
  bindOperation(app, 'ready', () => answer(check));
}

/** SYS-8. */
export function metricsRoutes(app: App, metrics: Metrics): void {
  bindOperation(app, 'metrics', ({ identity: { userId } }) => metrics.read(userId));
}

/** SEC-18: a command sends its secret, and what it saves, only to the server that knows the secret. */
export function serverProofRoutes(app: App, policy: AccessPolicy, ownerSecret: string | null): void {
  bindOperation(app, 'proveServer', async ({ body, reply }) => {
    if (ownerSecret === null || !isDirect(reply.request.raw, policy))
      throw new RecollectError('NOT_FOUND', 'This server takes no commands from here.');
    return { proof: proveSecret(ownerSecret, body.challenge) };
  });
}
