import type { Shared } from '../sharing/read-shared.js';
import type { Shares } from '../sharing/shares.js';
import type { OperationHandlers } from './operation-call.js';

type ShareOperation =
  | 'deleteShare'
  | 'listShared'
  | 'listSharedMemories'
  | 'getSharedMemory'
  | 'addToShared'
  | 'removeFromShared';

/** SHR-1 to SHR-3: ending shares, and reading what others share. */
export function shareOperations({
  shares,
  shared,
}: {
  shares: Shares;
  shared: Shared;
}): OperationHandlers<ShareOperation> {
  return {
    async deleteShare({ userId, parameters: { id } }) {
      await shares.remove(userId, id);
      return undefined;
    },
    listShared: ({ userId }) => shared.list(userId),
    listSharedMemories: ({ userId, parameters: { id }, query }) => shared.read(userId, id, query),
    getSharedMemory: ({ userId, parameters: { id, ...place } }) => shared.get(userId, id, place),
    async addToShared({ userId, parameters: { id }, body }) {
      await shared.add(userId, id, body.memoryId);
      return undefined;
    },
    async removeFromShared({ userId, parameters: { id, ...place } }) {
      await shared.takeOut(userId, id, place);
      return undefined;
    },
  };
}
