import type { PageVersion } from '@recollect/core';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../dialect.js';
import type { Tables } from '../tables.js';
import { live } from './live.js';

/**
 * Whole pages of one address are versions of one another. Selections are independent passages, and different
 * conversations may have one address.
 */
export const VERSIONED = 'page';

/** How many live whole pages have the URL key of the memory that is being read. An index has all that this needs. */
export function countVersions(builder: ExpressionBuilder<Tables, 'memories'>) {
  return builder
    .selectFrom('memories as version')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('version.user_id', '=', 'memories.user_id')
    .whereRef('version.url_key', '=', 'memories.url_key')
    .where('version.capture_mode', '=', VERSIONED)
    .where('version.deleted_at', 'is', null);
}

/** The live whole pages with a URL key, newest first. */
export async function readPageVersions(
  { reader, utf16Length }: Pick<Database, 'reader' | 'utf16Length'>,
  userId: string,
  urlKey: string,
  limit: number,
): Promise<PageVersion[]> {
  const rows = await live(reader, userId)
    .select(['memories.id', 'memories.title', 'memories.captured_at'])
    .select((builder) =>
      builder
        .selectFrom('chunks')
        .select(({ fn, ref }) => fn.sum<number>(utf16Length(ref('chunks.text'))).as('characters'))
        .whereRef('chunks.user_id', '=', 'memories.user_id')
        .whereRef('chunks.memory_id', '=', 'memories.id')
        .as('characters'),
    )
    .where('memories.url_key', '=', urlKey)
    .where('memories.capture_mode', '=', VERSIONED)
    .orderBy('memories.captured_at', 'desc')
    .orderBy('memories.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ captured_at: capturedAt, characters, ...row }) => ({
    ...row,
    capturedAt,
    characters: Number(characters ?? 0),
  }));
}
