import { LOCAL_USER, RecollectError } from '@recollect/core';
import type { Trx } from '../tables.js';
import { readCounts } from './memory-counts.js';

interface Size {
  memories: number;
  bytes: number;
}

/** What a person has, and how much they may have. */
interface Allowance {
  size: Size;
  limit: { [Part in keyof Size]: number | null };
}

/**
 * Reads what a person has before a change. Null if nothing limits them. The owner of the store has no limit, so that a
 * store of one person reads nothing more.
 */
export async function readAllowance(trx: Trx, userId: string): Promise<Allowance | null> {
  if (userId === LOCAL_USER) return null;
  const limit = await trx
    .selectFrom('users')
    .select(['quota_memories as memories', 'quota_bytes as bytes'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (limit === undefined || (limit.memories === null && limit.bytes === null)) return null;
  return { size: await readSize(trx, userId), limit };
}

/**
 * Throws QUOTA_EXCEEDED if a change has made a person's memories more than they may be. Any change that makes them
 * fewer or smaller is accepted.
 */
export async function checkQuota(trx: Trx, userId: string, { size: before, limit }: Allowance): Promise<void> {
  const after = await readSize(trx, userId);
  const exceeds = (part: keyof Size) => limit[part] !== null && after[part] > limit[part] && after[part] > before[part];
  const more = 'Delete some of them, or ask the person who runs this deployment for more.';
  if (exceeds('memories'))
    throw new RecollectError('QUOTA_EXCEEDED', `Your quota is ${limit.memories} memories. ${more}`);
  if (exceeds('bytes'))
    throw new RecollectError('QUOTA_EXCEEDED', `Your quota is ${limit.bytes} bytes of memories and trash. ${more}`);
}

async function readSize(trx: Trx, userId: string): Promise<Size> {
  const { memories, text_bytes, picture_bytes } = await readCounts(trx, userId);
  return { memories, bytes: text_bytes + picture_bytes };
}
