import type { PictureStore } from '@recollect/core';
import type { Database } from '../dialect.js';
import { readCounts } from '../memories/read-counts.js';

/** Reads the pictures of memories and sites. */
export function createPictureStore({ reader }: Database): PictureStore {
  return {
    async find(userId, memoryId, kind) {
      const ofMemory = reader
        .selectFrom('memories')
        .where('memories.user_id', '=', userId)
        .where('memories.id', '=', memoryId)
        .where('memories.deleted_at', 'is', null);
      const hash =
        kind === 'picture'
          ? ofMemory
              .innerJoin('memory_pictures as link', (join) =>
                join.onRef('link.user_id', '=', 'memories.user_id').onRef('link.memory_id', '=', 'memories.id'),
              )
              .select('link.hash')
          : ofMemory
              .innerJoin('site_favicons as link', (join) =>
                join.onRef('link.user_id', '=', 'memories.user_id').onRef('link.site', '=', 'memories.site'),
              )
              .select('link.hash');
      const row = await reader
        .selectFrom('pictures')
        .select(['hash', 'type', 'width', 'height', 'bytes'])
        .where('user_id', '=', userId)
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row === undefined ? null : { ...row, bytes: Uint8Array.from(row.bytes) };
    },

    async size(userId) {
      const { pictures, picture_bytes: bytes } = await readCounts(reader, userId);
      return { count: pictures, bytes };
    },
  };
}
