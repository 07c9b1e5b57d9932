import type { ApiKeys } from '../access/api-keys.js';
import type { OperationHandlers } from './operation-call.js';

/** KEY-1. */
export function accessOperations(apiKeys: ApiKeys): OperationHandlers<'createApiKey' | 'listApiKeys' | 'revokeApiKey'> {
  return {
    createApiKey: ({ userId, body }) => apiKeys.create(userId, body ?? {}),
    listApiKeys: ({ userId }) => apiKeys.list(userId),
    async revokeApiKey({ userId, parameters }) {
      await apiKeys.revoke(userId, parameters.id);
      return undefined;
    },
  };
}
