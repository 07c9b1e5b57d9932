import type { MemoryDetail } from '@recollect/contract';
import { RecollectError } from '@recollect/core';
import type { Call } from '../executor/executor.js';
import { inert } from '../terminal/output.js';

/**
 * Reads a memory. Throws NOT_FOUND with what to type: for one in the trash how to get it back, else where to find ids.
 */
export async function readMemory(call: Call, id: string): Promise<MemoryDetail> {
  try {
    return await call('getMemory', { parameters: { id } });
  } catch (error) {
    if (!(error instanceof RecollectError) || error.code !== 'NOT_FOUND') throw error;
    const trashed = await call('trashedMemory', { parameters: { id } }).catch(() => null);
    const sentence =
      trashed === null
        ? `${error.message} recollect recent and recollect search print ids.`
        : `${inert(trashed.title)} is in the trash. To restore it: recollect undelete ${trashed.id}`;
    throw new RecollectError('NOT_FOUND', sentence, { cause: error });
  }
}
