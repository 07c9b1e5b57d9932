import type { Core } from '@recollect/core';
import { type App, bindOperation } from '../bind-operation.js';

/** KEY-1. */
export function apiKeyRoutes(app: App, { apiKeys }: Core): void {
  bindOperation(app, 'createApiKey', ({ identity, body }) => apiKeys.create(identity.userId, body ?? {}));
  bindOperation(app, 'listApiKeys', ({ identity }) => apiKeys.list(identity.userId));
  bindOperation(app, 'revokeApiKey', async ({ identity, parameters }) => {
    await apiKeys.revoke(identity.userId, parameters.id);
    return undefined;
  });
}
